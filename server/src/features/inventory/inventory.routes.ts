import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/database.ts';
import { badField, notFound } from '../../http/api-error.ts';
import type { Handlers } from '../../http/call.ts';
import { checkReferences } from '../../http/references.ts';
import { orTaken } from '../../http/taken.ts';
import { insertInventory, presentInventory } from './inventory.store.ts';

interface Needs {
  readonly database: Database;
  readonly clock: Clock;
}

/** Only a login and a password can make somebody another user. */
const checkBecomeKey = async (database: Database, id: number | null): Promise<void> => {
  if (id === null) return;
  const key = await database.read.selectFrom('access_key').select('type').where('id', '=', id).executeTakeFirst();
  if (key?.type !== 'login_password') throw badField('become_key_id', 'must be a key with login and password');
};

export const inventoryRoutes = ({
  database,
  clock,
}: Needs): Pick<Handlers, 'listInventory' | 'createInventory' | 'getInventory'> => {
  const inventories = (projectId: number) =>
    database.read.selectFrom('inventory').selectAll().where('project_id', '=', projectId).orderBy('name');
  return {
    listInventory: async ({ params, membership }) =>
      (await inventories(params.project_id).execute()).map((row) => presentInventory(row, membership.permissions)),

    createInventory: async ({ params, body, actor }) => {
      await checkReferences(database.read, params.project_id, [
        ['ssh_key_id', 'access_key', body.ssh_key_id],
        ['become_key_id', 'access_key', body.become_key_id],
      ]);
      await checkBecomeKey(database, body.become_key_id);
      return await orTaken(database, `There is already an inventory named ${body.name}.`, () =>
        database.write((tx) => insertInventory(tx, params.project_id, body, actor, clock.now())),
      );
    },

    getInventory: async ({ params, membership }) => {
      const row = await inventories(params.project_id).where('id', '=', params.inventory_id).executeTakeFirst();
      if (!row) throw notFound();
      return presentInventory(row, membership.permissions);
    },
  };
};
