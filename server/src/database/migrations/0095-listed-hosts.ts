import { type Kysely, sql } from 'kysely';
import type { Capabilities } from '../dialects/capabilities.ts';

/** Adds which hosts the last listing of each inventory had, and since when it no longer has others. */
export const listedHosts = async (db: Kysely<unknown>, columns: Capabilities['columns']): Promise<void> => {
  await db.schema
    .createTable('host_inventory')
    .addColumn('host_id', 'integer', (c) => c.notNull().references('host.id').onDelete('cascade'))
    .addColumn('inventory_id', 'integer', (c) => c.notNull().references('inventory.id').onDelete('cascade'))
    .addColumn('vanished', sql.raw<never>(columns.long))
    .addPrimaryKeyConstraint('host_inventory_of', ['host_id', 'inventory_id'])
    .execute();
  await db.schema.createIndex('host_inventory_inventory').on('host_inventory').column('inventory_id').execute();
};
