import { type Kysely, sql } from 'kysely';
import type { Capabilities } from '../dialects/capabilities.ts';

/** API tokens, secret variables of environments, time limits of templates, and tasks of a chosen commit. */
export const tokensAndSecrets = async (db: Kysely<unknown>, columns: Capabilities['columns']): Promise<void> => {
  const id = sql.raw(columns.id);
  await db.schema
    .createTable('api_token')
    .addColumn('id', id as never, (c) => c.primaryKey())
    .addColumn('user_id', 'integer', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('token_hash', 'text', (c) => c.notNull())
    .addColumn('prefix', 'text', (c) => c.notNull())
    .addColumn('created', 'text', (c) => c.notNull())
    .addColumn('last_used', 'text')
    .execute();
  await db.schema.createIndex('api_token_hash').on('api_token').column('token_hash').unique().execute();
  await db.schema.createIndex('api_token_user').on('api_token').column('user_id').execute();

  await db.schema
    .createTable('environment_secret')
    .addColumn('id', id as never, (c) => c.primaryKey())
    .addColumn('environment_id', 'integer', (c) => c.notNull().references('environment.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('secret', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('environment_secret_name')
    .on('environment_secret')
    .columns(['environment_id', 'type', 'name'])
    .unique()
    .execute();

  await db.schema
    .alterTable('template')
    .addColumn('max_duration', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema.alterTable('task').addColumn('wanted_commit', 'text').execute();
  await db.schema.createIndex('task_created').on('task').columns(['project_id', 'created', 'id']).execute();
  // Deleting a key, an inventory or another object checks its references; the indexes avoid reading whole tables.
  for (const [table, column] of [
    ['template', 'build_template_id'],
    ['template', 'view_id'],
    ['template', 'inventory_id'],
    ['template', 'environment_id'],
    ['template', 'repository_id'],
    ['template', 'vault_key_id'],
    ['inventory', 'ssh_key_id'],
    ['inventory', 'become_key_id'],
    ['repository', 'ssh_key_id'],
    ['task', 'user_id'],
    ['event', 'user_id'],
  ] as const) {
    await db.schema.createIndex(`${table}_${column}`).on(table).column(column).execute();
  }
};
