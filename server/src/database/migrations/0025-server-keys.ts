import { type Kysely, sql } from 'kysely';
import type { Capabilities } from '../dialects/capabilities.ts';

/** Which encryption keys each running server has. */
export const serverKeys = async (db: Kysely<unknown>, columns: Capabilities['columns']): Promise<void> => {
  await db.schema
    .createTable('server_keys')
    .addColumn('id', sql.raw(columns.idOnce))
    .addColumn('server', 'text', (column) => column.notNull())
    .addColumn('keys', 'text', (column) => column.notNull())
    .addColumn('beats', sql.raw(columns.long), (column) => column.notNull())
    .execute();
};
