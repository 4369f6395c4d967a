import { type Kysely, sql } from 'kysely';
import type { Capabilities } from '../dialects/capabilities.ts';

/** Stores the secret answers with which a webhook starts its tasks. */
export const webhookSecrets = async (db: Kysely<unknown>, columns: Capabilities['columns']): Promise<void> => {
  await db.schema
    .createTable('webhook_secret')
    .addColumn('id', sql.raw(columns.idOnce))
    .addColumn('webhook_id', 'integer', (c) => c.notNull().references('webhook.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('secret', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('webhook_secret_webhook').on('webhook_secret').column('webhook_id').execute();
};
