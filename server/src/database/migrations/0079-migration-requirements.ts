import type { Kysely } from 'kysely';

/** Stores which later migrations a server must know to work with the database. */
export const migrationRequirements = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('migration_requirement')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('requires', 'text', (column) => column.notNull())
    .execute();
};
