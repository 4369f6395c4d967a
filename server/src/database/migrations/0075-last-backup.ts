import { type Kysely, sql } from 'kysely';
import type { Capabilities } from '../dialects/capabilities.ts';

/** When the last backup was written: at most one row. */
export const lastBackup = async (db: Kysely<unknown>, columns: Capabilities['columns']): Promise<void> => {
  await db.schema
    .createTable('last_backup')
    .addColumn('id', sql.raw(columns.idOnce))
    .addColumn('made', 'text', (column) => column.notNull())
    .execute();
};
