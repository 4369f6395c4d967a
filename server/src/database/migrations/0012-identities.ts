import { type Kysely, sql } from 'kysely';
import type { Capabilities } from '../dialects/capabilities.ts';

/** Identities of users at providers and directories, and callbacks that have been used. */
export const identities = async (db: Kysely<unknown>, columns: Capabilities['columns']): Promise<void> => {
  await db.schema
    .createTable('identity')
    .addColumn('id', sql.raw(columns.id), (c) => c.primaryKey())
    .addColumn('user_id', 'integer', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('source', 'text', (c) => c.notNull())
    .addColumn('subject', 'text', (c) => c.notNull())
    .addColumn('created', 'text', (c) => c.notNull())
    .addColumn('last_used', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('identity_subject').on('identity').columns(['source', 'subject']).unique().execute();
  await db.schema.createIndex('identity_user').on('identity').column('user_id').execute();
  await db.schema
    .createTable('used_return')
    .addColumn('state_hash', 'text', (c) => c.primaryKey())
    .addColumn('expires', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('used_return_expires').on('used_return').column('expires').execute();
};
