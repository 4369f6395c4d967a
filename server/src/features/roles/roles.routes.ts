import {
  type CustomRole,
  type EventMessage,
  NewRole,
  ROLES,
  type RoleChoice,
  type RoleSlug,
  rightsOf,
} from '@signalbox/contract';
import { changeParams } from '../../audit/changed-fields.ts';
import { type Actor, recordEvent } from '../../audit/record-event.ts';
import type { Clock } from '../../clock.ts';
import { type Database, LOCK, type StateReader, type StateTransaction } from '../../database/database.ts';
import type { Handlers } from '../../http/calls/call.ts';
import { notFound } from '../../http/errors/api-error.ts';
import { orInUse, orTaken } from '../../http/errors/taken.ts';
import { merged } from '../../http/objects/change.ts';
import type { Precondition } from '../../http/objects/precondition.ts';
import { insertRole, presentRole, type RoleRow, roleColumns, rolesOf } from './role.store.ts';

interface Deps {
  readonly database: Database;
  readonly clock: Clock;
  /** Called when the rights of users have changed. */
  readonly rightsChanged: () => void;
}

type RoleRoutes =
  | 'listRoles'
  | 'createRole'
  | 'getCustomRole'
  | 'updateRole'
  | 'deleteRole'
  | 'listSystemRoles'
  | 'createSystemRole'
  | 'getSystemRole'
  | 'updateSystemRole'
  | 'deleteSystemRole';

const FIXED: readonly RoleChoice[] = (Object.entries(ROLES) as [RoleSlug, (typeof ROLES)[RoleSlug]][]).map(
  ([slug, { title, permissions }]) => ({
    slug,
    title,
    role_id: null,
    rights: rightsOf(permissions),
    starts_from: null,
    of_system: true,
  }),
);

const choiceOf = (row: RoleRow): RoleChoice => ({
  slug: 'custom',
  title: row.name,
  role_id: row.id,
  rights: rightsOf(row.permissions),
  starts_from: row.starts_from,
  of_system: row.project_id === null,
});

/** A call that changes a role of a project, or of the system: `projectId` is null. */
interface RoleCall {
  readonly projectId: number | null;
  readonly actor: Actor;
  readonly precondition: Precondition;
}

type RoleEvent = Extract<EventMessage, { readonly kind: `role.${'created' | 'changed' | 'deleted'}` }>;

export const rolesRoutes = ({ database, clock, rightsChanged }: Deps): Pick<Handlers, RoleRoutes> => {
  const record = (tx: StateTransaction, row: RoleRow, event: RoleEvent, actor: Actor): Promise<void> =>
    recordEvent(tx, {
      ...event,
      actor,
      projectId: row.project_id,
      objectType: 'role',
      objectId: row.id,
      objectName: row.name,
      at: clock.now(),
    });

  const find = async (db: StateReader, projectId: number | null, id: number): Promise<RoleRow> => {
    const row = await rolesOf(db, projectId).where('id', '=', id).executeTakeFirst();
    if (!row) throw notFound();
    return row;
  };

  const namedRoles = async (projectId: number | null): Promise<RoleChoice[]> =>
    (await rolesOf(database.read, projectId).orderBy('name').execute()).map(choiceOf);

  /** Runs within the lock for changes of users, so that no member is given a role that changes at the same time. */
  const write = async <T>(name: () => string, work: (tx: StateTransaction) => Promise<T>): Promise<T> =>
    await orTaken(
      database,
      () => ({ code: 'conflict.role_name_taken', params: { name: name() } }),
      () => database.write(work, LOCK.users),
    );

  const create = async (projectId: number | null, body: NewRole, actor: Actor): Promise<CustomRole> =>
    await write(
      () => body.name,
      async (tx) => {
        const row = await insertRole(tx, projectId, body);
        await record(tx, row, { kind: 'role.created', params: { name: row.name } }, actor);
        return presentRole(row);
      },
    );

  const change = async ({ projectId, actor, precondition }: RoleCall, id: number, body: object): Promise<void> => {
    let name = '';
    await write(
      () => name,
      async (tx) => {
        const row = await find(tx, projectId, id);
        await precondition.check(() => presentRole(row));
        const columns = roleColumns(merged(NewRole, presentRole(row) as NewRole, body as Record<string, unknown>));
        name = columns.name;
        await tx.updateTable('custom_role').set(columns).where('id', '=', row.id).execute();
        const params = { name, ...changeParams(row, columns, { name, oldName: row.name }) };
        await record(tx, { ...row, name }, { kind: 'role.changed', params }, actor);
      },
    );
    rightsChanged();
  };

  const remove = async ({ projectId, actor, precondition }: RoleCall, id: number): Promise<void> =>
    await orInUse(
      database,
      () => ({ code: 'in_use.role' }),
      () =>
        database.write(async (tx) => {
          const row = await find(tx, projectId, id);
          await precondition.check(() => presentRole(row));
          await tx.deleteFrom('custom_role').where('id', '=', row.id).execute();
          await record(tx, row, { kind: 'role.deleted', params: { name: row.name } }, actor);
        }, LOCK.users),
    );

  return {
    listRoles: async ({ params }) => [...FIXED, ...(await namedRoles(null)), ...(await namedRoles(params.project_id))],
    createRole: ({ params, body, actor }) => create(params.project_id, body, actor),
    getCustomRole: async ({ params }) => presentRole(await find(database.read, params.project_id, params.role_id)),
    updateRole: (call) => change({ ...call, projectId: call.params.project_id }, call.params.role_id, call.body),
    deleteRole: (call) => remove({ ...call, projectId: call.params.project_id }, call.params.role_id),

    listSystemRoles: async () => [...FIXED, ...(await namedRoles(null))],
    createSystemRole: ({ body, actor }) => create(null, body, actor),
    getSystemRole: async ({ params }) => presentRole(await find(database.read, null, params.role_id)),
    updateSystemRole: (call) => change({ ...call, projectId: null }, call.params.role_id, call.body),
    deleteSystemRole: (call) => remove({ ...call, projectId: null }, call.params.role_id),
  };
};
