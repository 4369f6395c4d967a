import { type Kysely, sql } from 'kysely';
import type { Capabilities } from '../dialects/capabilities.ts';

/** Sign-in attempts that failed or are still running, so that several servers share the limits and restarts keep them. */
export const signInAttempts = async (db: Kysely<unknown>, columns: Capabilities['columns']): Promise<void> => {
  await db.schema
    .createTable('sign_in_attempt')
    .addColumn('id', sql.raw(columns.id), (c) => c.primaryKey())
    .addColumn('network_key', 'text', (c) => c.notNull())
    .addColumn('account_key', 'text', (c) => c.notNull())
    .addColumn('pending', 'integer', (c) => c.notNull())
    .addColumn('at', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('sign_in_attempt_network').on('sign_in_attempt').columns(['network_key', 'at']).execute();
  await db.schema.createIndex('sign_in_attempt_at').on('sign_in_attempt').column('at').execute();
};
