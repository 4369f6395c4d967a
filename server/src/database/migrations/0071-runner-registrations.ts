import { type Kysely, sql } from 'kysely';
import type { Capabilities } from '../dialects/capabilities.ts';

/** Adds registration tokens of runners, the replacement of runner tokens, and ephemeral runners. */
export const runnerRegistrations = async (db: Kysely<unknown>, columns: Capabilities['columns']): Promise<void> => {
  await db.schema
    .createTable('runner_registration')
    .addColumn('id', sql.raw(columns.idOnce))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('token_hash', 'text', (c) => c.notNull().unique())
    .addColumn('tags', 'text', (c) => c.notNull())
    .addColumn('uses', 'integer', (c) => c.notNull())
    .addColumn('uses_left', 'integer', (c) => c.notNull())
    .addColumn('expires', 'text', (c) => c.notNull())
    .addColumn('created', 'text', (c) => c.notNull())
    .addColumn('created_by', 'integer', (c) => c.references('users.id').onDelete('set null'))
    .execute();
  await db.schema
    .createIndex('runner_registration_created_by')
    .on('runner_registration')
    .column('created_by')
    .execute();
  for (const column of ['pending_token_hash', 'previous_token_hash', 'token_changed', 'expires'])
    await db.schema.alterTable('runner').addColumn(column, 'text').execute();
  await db.schema
    .alterTable('runner')
    .addColumn('ephemeral', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  for (const column of ['pending_token_hash', 'previous_token_hash'])
    await db.schema.createIndex(`runner_${column}`).on('runner').column(column).execute();
};
