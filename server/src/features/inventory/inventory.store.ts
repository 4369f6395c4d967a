import { holds, type Inventory } from '@signalbox/contract';
import { recordCreated } from '../../audit/object-event.ts';
import type { Actor } from '../../audit/record-event.ts';
import type { StateTransaction } from '../../database/database.ts';

/** The text of an inventory may hold passwords: for managers only. */
export const presentInventory = (inventory: Inventory, permissions: number): Inventory =>
  holds(permissions, 'manage_resources') ? inventory : { ...inventory, inventory: '' };

export type InventoryFacts = Omit<Inventory, 'id' | 'project_id'>;

export const insertInventory = async (
  tx: StateTransaction,
  projectId: number,
  facts: InventoryFacts,
  actor: Actor,
  now: Date,
): Promise<Inventory> => {
  const { name, type, inventory, ssh_key_id, become_key_id } = facts;
  const row = await tx
    .insertInto('inventory')
    .values({ project_id: projectId, name, type, inventory, ssh_key_id, become_key_id })
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordCreated(tx, 'inventory', row, actor, now);
  return row;
};
