import { type Kysely, sql } from 'kysely';
import type { Capabilities } from '../dialects/capabilities.ts';

/** Mails by which users confirm an email address. */
export const addressProofs = async (db: Kysely<unknown>, columns: Capabilities['columns']): Promise<void> => {
  await db.schema
    .createTable('address_proof')
    .addColumn('id', sql.raw(columns.idOnce))
    .addColumn('user_id', 'integer', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('email', 'text', (c) => c.notNull())
    .addColumn('token_hash', 'text')
    .addColumn('created', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('address_proof_token').on('address_proof').column('token_hash').unique().execute();
  await db.schema.createIndex('address_proof_user').on('address_proof').columns(['user_id', 'created']).execute();
};
