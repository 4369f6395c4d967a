import { holds, type InventoryHosts, NewInventory } from '@signalbox/contract';
import type { Actor } from '../../audit/record-event.ts';
import type { Clock } from '../../clock.ts';
import type { Database, StateTransaction } from '../../database/database.ts';
import { readKeyNames } from '../../database/queries/key-names.ts';
import { lockRow } from '../../database/queries/lock-row.ts';
import { findReferences } from '../../database/queries/used-by.ts';
import { type Handlers, hiddenFrom } from '../../http/calls/call.ts';
import { ApiError, badField, notFound } from '../../http/errors/api-error.ts';
import type { RunnerRefusal } from '../../http/errors/runner-refusal.ts';
import { orTaken } from '../../http/errors/taken.ts';
import { merged } from '../../http/objects/change.ts';
import { changeObject, deleteObject, type ObjectKind } from '../../http/objects/project-object.ts';
import { checkReferences } from '../../http/objects/references.ts';
import { sorted } from '../../http/objects/sorted.ts';
import { type InventoryInput, insertInventory, inventoryOf, presentInventory } from './inventory.store.ts';

interface Deps {
  readonly database: Database;
  readonly clock: Clock;
  /** Queries a runner; undefined when none is connected. */
  readonly queryHosts: (
    requester: { readonly projectId: number; readonly actor: Actor },
    inventory: Pick<InventoryInput, 'type' | 'inventory'> & { readonly id: number },
    repositoryId: number | null,
  ) => Promise<InventoryHosts | RunnerRefusal | undefined>;
}

type InventoryRoutes =
  | 'listInventory'
  | 'createInventory'
  | 'getInventory'
  | 'updateInventory'
  | 'deleteInventory'
  | 'getInventoryReferences'
  | 'getInventoryHosts';

const KIND: ObjectKind<'inventory'> = {
  table: 'inventory',
  code: 'inventory',
  taken: (name) => ({ code: 'conflict.inventory_name_taken', params: { name } }),
  name: (row) => row.name,
  present: (_db, row, permissions) => presentInventory(inventoryOf(row), permissions),
};

/** Checks that the keys belong to the project. Only a login with a password can be used to become another user. */
const checkKeys = async (db: StateTransaction, projectId: number, input: InventoryInput): Promise<void> => {
  await checkReferences(db, projectId, [
    ['ssh_key_id', 'access_key', input.ssh_key_id],
    ['become_key_id', 'access_key', input.become_key_id],
  ]);
  if (input.become_key_id === null) return;
  // Locked, so that the type of the key cannot change.
  const key = await lockRow(db, 'access_key', projectId, input.become_key_id);
  if (key?.type !== 'login_password') throw badField('become_key_id', 'field.login_key');
};

/**
 * The repository with the file of an inventory.
 * @throws conflict when neither the request nor a template names one
 */
const repositoryOf = async (
  db: Database['read'],
  inventory: { readonly id: number; readonly project_id: number; readonly type: string; readonly inventory: string },
  wanted: number | undefined,
): Promise<number | null> => {
  if (inventory.type !== 'file' || inventory.inventory.startsWith('/')) return null;
  if (wanted !== undefined) {
    await checkReferences(db, inventory.project_id, [['repository_id', 'repository', wanted]]);
    return wanted;
  }
  const template = await db
    .selectFrom('template')
    .select('repository_id')
    .where('inventory_id', '=', inventory.id)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  if (!template) throw new ApiError('conflict.inventory_repository');
  return template.repository_id;
};

export const inventoryRoutes = ({ database, clock, queryHosts }: Deps): Pick<Handlers, InventoryRoutes> => {
  const inventories = (projectId: number) =>
    database.read.selectFrom('inventory').selectAll().where('project_id', '=', projectId);
  const find = async (projectId: number, id: number) => {
    const row = await inventories(projectId).where('id', '=', id).executeTakeFirst();
    if (!row) throw notFound();
    return row;
  };
  return {
    listInventory: async ({ params, query, membership }) => {
      const rows = await inventories(params.project_id).execute();
      const byKey = query.sort === 'ssh_key' || query.sort === 'become_key';
      const names = byKey ? await readKeyNames(database.read, params.project_id) : undefined;
      const shown = rows.map((row) => presentInventory(inventoryOf(row), membership.permissions));
      return sorted(shown, query, 'name', (row, column) => {
        if (column === 'ssh_key') return names?.get(row.ssh_key_id);
        if (column === 'become_key') return names?.get(row.become_key_id ?? 0);
        return row[column as 'name' | 'type'];
      });
    },

    createInventory: ({ params, body, actor }) =>
      orTaken(
        database,
        () => KIND.taken(body.name),
        () =>
          database.write(async (tx) => {
            await checkKeys(tx, params.project_id, body);
            return await insertInventory(tx, params.project_id, body, actor, clock.now());
          }),
      ),

    getInventory: async ({ params, membership }) =>
      presentInventory(inventoryOf(await find(params.project_id, params.inventory_id)), membership.permissions),

    updateInventory: (call) =>
      changeObject({ database, clock }, KIND, call, call.params.inventory_id, async (tx, row) => {
        const input = merged(NewInventory, inventoryOf(row), call.body);
        await checkKeys(tx, row.project_id, input);
        return { ...input, runner_tags: JSON.stringify(input.runner_tags) };
      }),

    deleteInventory: (call) => deleteObject({ database, clock }, KIND, call, call.params.inventory_id),

    getInventoryReferences: async ({ params, membership }) => {
      const { id } = await find(params.project_id, params.inventory_id);
      return await findReferences(database.read, 'inventory', id, hiddenFrom(membership));
    },

    getInventoryHosts: async ({ params, query, membership, actor }) => {
      const row = await find(params.project_id, params.inventory_id);
      const repositoryId = await repositoryOf(database.read, row, query.repository_id);
      const answer = await queryHosts({ projectId: row.project_id, actor }, row, repositoryId);
      if (!answer) throw new ApiError('unavailable.runner_for_inventory');
      // The reason may quote the inventory or the address of the repository.
      const mayKnow = holds(membership.permissions, 'edit_inventories');
      if ('refused' in answer)
        throw mayKnow ? ApiError.of(answer.refused) : new ApiError('conflict.inventory_unreadable');
      return { hosts: answer.hosts, groups: answer.groups };
    },
  };
};
