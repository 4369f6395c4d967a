import { type Kysely, sql } from 'kysely';
import type { Capabilities } from '../dialects/capabilities.ts';

/** The secret from which the keys of runs are derived. */
export const leaseSecret = async (db: Kysely<unknown>, columns: Capabilities['columns']): Promise<void> => {
  await db.schema
    .createTable('lease_secret')
    .addColumn('id', sql.raw(columns.id), (column) => column.primaryKey())
    .addColumn('secret', 'text', (column) => column.notNull())
    .execute();
};
