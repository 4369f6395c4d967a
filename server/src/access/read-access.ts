import { type SqlBool, sql } from 'kysely';
import type { StateReader } from '../database/database.ts';
import type { AccessRules } from './access.ts';

/** As a literal, so that the databases use the index of restricted rows. */
export const IS_RESTRICTED = sql<SqlBool>`restricted = 1`;

/** The restrictions and grants of projects, by the id of the project. Projects without any are missing. */
export const readRules = async (
  db: StateReader,
  projectIds: readonly number[],
): Promise<ReadonlyMap<number, AccessRules>> => {
  if (projectIds.length === 0) return new Map();
  const views = await db
    .selectFrom('view')
    .select(['id', 'project_id'])
    .where('project_id', 'in', projectIds)
    .where(IS_RESTRICTED)
    .execute();
  const grants = await db
    .selectFrom('access_grant')
    .selectAll()
    .where('project_id', 'in', projectIds)
    .orderBy('id')
    .execute();
  const named = (name: 'template_id' | 'view_id') => grants.flatMap((grant) => grant[name] ?? []);
  const templates = await db
    .selectFrom('template')
    .select(['id', 'project_id', 'view_id', 'restricted'])
    .where('project_id', 'in', projectIds)
    .where((eb) =>
      eb.or([
        IS_RESTRICTED,
        eb('id', 'in', [0, ...named('template_id')]),
        eb('view_id', 'in', [0, ...named('view_id'), ...views.map(({ id }) => id)]),
      ]),
    )
    .execute();
  const restrictedViews = new Set(views.map(({ id }) => id));
  const concerned = new Set([...views, ...templates, ...grants].map(({ project_id }) => project_id));
  return new Map(
    [...concerned].map((projectId) => {
      const own = templates.filter(({ project_id }) => project_id === projectId);
      return [
        projectId,
        {
          viewOf: new Map(own.map(({ id, view_id }) => [id, view_id])),
          restricted: new Set(
            own
              .filter(({ restricted, view_id }) => restricted === 1 || restrictedViews.has(view_id ?? 0))
              .map(({ id }) => id),
          ),
          restrictedViews: new Set(views.filter(({ project_id }) => project_id === projectId).map(({ id }) => id)),
          grants: grants.filter(({ project_id }) => project_id === projectId),
        },
      ];
    }),
  );
};

/** The groups of users at the identity provider, by the id of the user. */
export const readGroups = async (
  db: StateReader,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, ReadonlySet<string>>> => {
  if (userIds.length === 0) return new Map();
  const rows = await db.selectFrom('user_group').selectAll().where('user_id', 'in', userIds).execute();
  const byUser = Map.groupBy(rows, ({ user_id }) => user_id);
  return new Map([...byUser].map(([id, groups]) => [id, new Set(groups.map(({ name }) => name))]));
};
