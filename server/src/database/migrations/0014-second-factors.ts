import { type Kysely, sql } from 'kysely';
import type { Capabilities } from '../dialects/capabilities.ts';

/** Second factors: secrets of authenticator apps, recovery codes, and sign-ins that wait for a code. */
export const secondFactors = async (db: Kysely<unknown>, columns: Capabilities['columns']): Promise<void> => {
  await db.schema
    .alterTable('users')
    .addColumn('second_factor', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createTable('second_factor')
    .addColumn('id', sql.raw(columns.id), (c) => c.primaryKey())
    .addColumn('user_id', 'integer', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('secret', 'text', (c) => c.notNull())
    .addColumn('created', 'text', (c) => c.notNull())
    .addColumn('confirmed', 'text')
    .addColumn('last_step', 'integer')
    .execute();
  await db.schema.createIndex('second_factor_user').on('second_factor').column('user_id').unique().execute();
  await db.schema
    .createTable('recovery_code')
    .addColumn('id', sql.raw(columns.id), (c) => c.primaryKey())
    .addColumn('user_id', 'integer', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('code_hash', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('recovery_code_user')
    .on('recovery_code')
    .columns(['user_id', 'code_hash'])
    .unique()
    .execute();
  await db.schema
    .createTable('held_sign_in')
    .addColumn('id', sql.raw(columns.id), (c) => c.primaryKey())
    .addColumn('user_id', 'integer', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('token_hash', 'text', (c) => c.notNull())
    .addColumn('expires', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('held_sign_in_token').on('held_sign_in').column('token_hash').unique().execute();
  await db.schema.createIndex('held_sign_in_user').on('held_sign_in').column('user_id').execute();
};
