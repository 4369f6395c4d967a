import { type EventMessage, NewGrant } from '@signalbox/contract';
import type { GrantRow } from '../../access/access.ts';
import { changeParams } from '../../audit/changed-fields.ts';
import { type Actor, recordEvent } from '../../audit/record-event.ts';
import type { Clock } from '../../clock.ts';
import { type Database, LOCK, type StateReader, type StateTransaction } from '../../database/database.ts';
import { belongsTo } from '../../database/queries/same-project.ts';
import type { Handlers } from '../../http/calls/call.ts';
import { notFound } from '../../http/errors/api-error.ts';
import { merged } from '../../http/objects/change.ts';
import { listAccessOfMember, listAccessToTemplate } from './access-tables.ts';
import { checkGrant, grantColumns, grantsOf, inputOf, insertGrant, namesOf, presentGrant } from './grant.store.ts';

interface Deps {
  readonly database: Database;
  readonly clock: Clock;
  /** Called when the rights of users have changed. */
  readonly rightsChanged: () => void;
  /** Finds the role that a request names. @throws bad_input when a member of the project can't have it */
  readonly findRole: (
    tx: StateReader,
    projectId: number,
    role: NonNullable<NewGrant['role']>,
    roleId: number | null,
  ) => Promise<{ readonly name: string }>;
  readonly nameOfRole: (tx: StateReader, roleId: number | null) => Promise<string>;
}

type GrantRoutes = Extract<
  keyof Handlers,
  `${string}Grant` | `${string}Grants` | 'listAccessToTemplate' | 'listAccessOfMember'
>;
type GrantEvent = Extract<EventMessage, { readonly kind: `grant.${string}` }>;

export const grantsRoutes = ({
  database,
  clock,
  rightsChanged,
  findRole,
  nameOfRole,
}: Deps): Pick<Handlers, GrantRoutes> => {
  const record = (tx: StateTransaction, row: GrantRow, event: GrantEvent, actor: Actor): Promise<void> =>
    recordEvent(tx, {
      ...event,
      actor,
      projectId: row.project_id,
      objectType: 'grant',
      objectId: row.id,
      objectName: event.params.what,
      at: clock.now(),
    });

  const find = async (db: StateReader, projectId: number, id: number): Promise<GrantRow> => {
    const row = await grantsOf(db, projectId).where('id', '=', id).executeTakeFirst();
    if (!row) throw notFound();
    return row;
  };

  /** Runs within the lock for changes of users, and checks the rights of open sockets and answers afterwards. */
  const write = async <T>(work: (tx: StateTransaction) => Promise<T>): Promise<T> => {
    const result = await database.write(work, LOCK.users);
    rightsChanged();
    return result;
  };

  const check = async (tx: StateReader, projectId: number, grant: NewGrant): Promise<void> => {
    await checkGrant(tx, projectId, grant);
    if (grant.role !== null) await findRole(tx, projectId, grant.role, grant.role_id);
  };

  const named = async (tx: StateReader, row: GrantRow) => namesOf(tx, row, await nameOfRole(tx, row.role_id));

  return {
    listGrants: async ({ params }) => (await grantsOf(database.read, params.project_id).execute()).map(presentGrant),

    createGrant: ({ params, body, caller, actor }) =>
      write(async (tx) => {
        await check(tx, params.project_id, body);
        const row = await insertGrant(tx, params.project_id, body, caller, clock.now());
        await record(tx, row, { kind: 'grant.created', params: await named(tx, row) }, actor);
        return presentGrant(row);
      }),

    getGrant: async ({ params }) => presentGrant(await find(database.read, params.project_id, params.grant_id)),

    updateGrant: ({ params, body, actor, precondition }) =>
      write(async (tx) => {
        const row = await find(tx, params.project_id, params.grant_id);
        await precondition.check(() => presentGrant(row));
        const input = merged(NewGrant, inputOf(row), body);
        await check(tx, row.project_id, input);
        const columns = grantColumns(input);
        await tx.updateTable('access_grant').set(columns).where('id', '=', row.id).execute();
        const { fields } = changeParams(row, columns, { name: '', oldName: '' });
        const names = await named(tx, { ...row, ...columns });
        await record(tx, row, { kind: 'grant.changed', params: { ...names, ...(fields && { fields }) } }, actor);
      }),

    deleteGrant: ({ params, actor, precondition }) =>
      write(async (tx) => {
        const row = await find(tx, params.project_id, params.grant_id);
        await precondition.check(() => presentGrant(row));
        await tx.deleteFrom('access_grant').where('id', '=', row.id).execute();
        await record(tx, row, { kind: 'grant.deleted', params: await named(tx, row) }, actor);
      }),

    listAccessToTemplate: async ({ params: { project_id, template_id } }) => {
      if (!(await belongsTo(database.read, 'template', template_id, project_id))) throw notFound();
      return await listAccessToTemplate(database.read, project_id, template_id);
    },

    listAccessOfMember: async ({ params: { project_id, user_id } }) => {
      const access = await listAccessOfMember(database.read, project_id, user_id);
      if (!access) throw notFound();
      return access;
    },
  };
};
