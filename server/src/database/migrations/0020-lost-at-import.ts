import type { Kysely } from 'kysely';

/** What a template lost when it was imported, separated by commas; empty once a user has saved it. */
export const lostAtImport = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .alterTable('template')
    .addColumn('lost_at_import', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
};
