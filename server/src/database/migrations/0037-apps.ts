import { type Kysely, sql } from 'kysely';

/** The rows as this step needs them. */
interface TemplateColumns {
  readonly template: { readonly inventory_id: number | null; readonly inventory: number | null };
}

/**
 * The app that runs the tasks of a template, and the app that a task was started with. An app without inventories has
 * templates without an inventory, so that column becomes nullable: SQLite can only do that with a new column.
 */
export const apps = async (db: Kysely<unknown>): Promise<void> => {
  for (const table of ['template', 'task'])
    await db.schema
      .alterTable(table)
      .addColumn('app', 'text', (column) => column.notNull().defaultTo('ansible'))
      .execute();
  await db.schema
    .alterTable('template')
    .addColumn('inventory', 'integer', (column) => column.references('inventory.id'))
    .execute();
  await (db as Kysely<TemplateColumns>).updateTable('template').set({ inventory: sql<number>`inventory_id` }).execute();
  await db.schema.dropIndex('template_inventory_id').execute();
  await db.schema.alterTable('template').dropColumn('inventory_id').execute();
  await db.schema.alterTable('template').renameColumn('inventory', 'inventory_id').execute();
  await db.schema.createIndex('template_inventory_id').on('template').column('inventory_id').execute();
};
