import { holds, type Inventory } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import { recordCreated } from '../../audit/object-event.ts';
import type { Actor } from '../../audit/record-event.ts';
import type { StateTransaction } from '../../database/database.ts';
import type { InventoryTable } from '../../database/schema.ts';

/** An inventory as it is stored, with its tags as a list. */
export const inventoryOf = (row: Selectable<InventoryTable>): Inventory => ({
  ...row,
  runner_tags: JSON.parse(row.runner_tags) as string[],
});

/** The text of an inventory may contain passwords, so only managers see it. */
export const presentInventory = (inventory: Inventory, permissions: number): Inventory =>
  holds(permissions, 'edit_inventories') ? inventory : { ...inventory, inventory: '' };

export type InventoryInput = Omit<Inventory, 'id' | 'project_id'>;

export const insertInventory = async (
  tx: StateTransaction,
  projectId: number,
  input: InventoryInput,
  actor: Actor,
  now: Date,
): Promise<Inventory> => {
  const { name, type, inventory, ssh_key_id, become_key_id } = input;
  const runner_tags = JSON.stringify(input.runner_tags);
  const row = await tx
    .insertInto('inventory')
    .values({ project_id: projectId, name, type, inventory, ssh_key_id, become_key_id, runner_tags })
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordCreated(tx, 'inventory', row, actor, now);
  return inventoryOf(row);
};
