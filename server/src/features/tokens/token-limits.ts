import type { ApiToken, NewApiToken, TokenScope } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import type { z } from 'zod';
import { hiddenOfUsers } from '../../access/access-of-members.ts';
import { selectMemberships } from '../../access/memberships.ts';
import type { StateReader } from '../../database/database.ts';
import type { ApiTokenTable } from '../../database/token.schema.ts';
import { badField } from '../../http/errors/api-error.ts';

/** A user whose projects are read. */
export interface Viewer {
  readonly id: number;
  readonly isAdmin: boolean;
  /** The projects to which the token of the call is restricted. */
  readonly projects?: ReadonlySet<number> | undefined;
}

type Stored = Pick<Selectable<ApiTokenTable>, 'scopes' | 'projects' | 'templates'>;

const idsOf = (json: string | null): number[] | undefined =>
  json === null ? undefined : (JSON.parse(json) as number[]);

/** What the columns of a token permit. */
export const readLimits = ({ scopes, projects, templates }: Stored) => ({
  scopes: scopes.split(',') as TokenScope[],
  projects: idsOf(projects),
  templates: idsOf(templates),
});

/** The projects among these that a user can see, by id. */
const visibleProjects = async (db: StateReader, wanted: readonly number[], { id, isAdmin, projects }: Viewer) => {
  const ids = projects ? wanted.filter((one) => projects.has(one)) : wanted;
  if (ids.length === 0) return new Map<number, string>();
  const found = db.selectFrom('project').select(['project.id', 'project.name']).where('project.id', 'in', ids);
  const rows = await found
    .$if(!isAdmin, (query) =>
      query.innerJoin('project_user', 'project_user.project_id', 'project.id').where('project_user.user_id', '=', id),
    )
    .execute();
  return new Map(rows.map((row) => [row.id, row.name]));
};

/** The templates among these that a user can see, as far as restrictions decide. */
const findTemplates = async (db: StateReader, ids: readonly number[], { id, isAdmin }: Viewer) => {
  if (ids.length === 0) return [];
  const found = await db.selectFrom('template').select(['id', 'name', 'project_id']).where('id', 'in', ids).execute();
  if (isAdmin) return found;
  const own = await selectMemberships(db).where('project_user.user_id', '=', id).execute();
  const hidden = (await hiddenOfUsers(db, own)).get(id);
  return found.filter((template) => !hidden?.has(template.id));
};

/**
 * Checks the projects and templates of a new token, and returns its columns.
 * @throws bad_input when they contain one that the user of the token cannot see, or a template of another project
 */
export const limitColumns = async (
  db: StateReader,
  owner: Viewer,
  { scopes, projects, templates }: Pick<z.output<typeof NewApiToken>, 'scopes' | 'projects' | 'templates'>,
) => {
  const chosen = new Set(projects);
  const ofTemplates = await findTemplates(db, templates ?? [], owner);
  const visible = await visibleProjects(
    db,
    [...new Set([...chosen, ...ofTemplates.map(({ project_id }) => project_id)])],
    owner,
  );
  if ([...chosen].some((id) => !visible.has(id))) throw badField('projects', 'field.own_project');
  const usable = ofTemplates.filter(
    ({ project_id }) => visible.has(project_id) && (projects === null || chosen.has(project_id)),
  );
  if (usable.length < new Set(templates).size) throw badField('templates', 'field.own_template');
  return {
    scopes: [...new Set(scopes)].join(','),
    projects: projects && JSON.stringify([...chosen]),
    templates: templates && JSON.stringify([...new Set(templates)]),
  };
};

/** Reads the names of the projects and templates of tokens. Those that the viewer cannot see are left out. */
export const presentLimits = async (
  db: StateReader,
  rows: readonly Stored[],
  viewer: Viewer,
): Promise<Pick<ApiToken, 'scopes' | 'projects' | 'templates'>[]> => {
  const limits = rows.map(readLimits);
  const found = await findTemplates(db, [...new Set(limits.flatMap(({ templates = [] }) => templates))], viewer);
  const ids = [...limits.flatMap(({ projects = [] }) => projects), ...found.map(({ project_id }) => project_id)];
  const names = await visibleProjects(db, [...new Set(ids)], viewer);
  return limits.map(({ scopes, projects, templates }) => ({
    scopes,
    projects: projects?.flatMap((id) => (names.has(id) ? [{ id, name: names.get(id) ?? '' }] : [])) ?? null,
    templates: templates ? found.filter(({ id, project_id }) => templates.includes(id) && names.has(project_id)) : null,
  }));
};
