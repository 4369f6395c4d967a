import { type Kysely, sql } from 'kysely';
import type { Capabilities } from '../dialects/capabilities.ts';

/** Stores the webhooks of templates, their received calls, and which webhook started a task. */
export const webhooks = async (db: Kysely<unknown>, columns: Capabilities['columns']): Promise<void> => {
  await db.schema
    .createTable('webhook')
    .addColumn('id', sql.raw(columns.idOnce))
    .addColumn('project_id', 'integer', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addColumn('template_id', 'integer', (c) => c.notNull().references('template.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('active', 'integer', (c) => c.notNull())
    .addColumn('token_hash', 'text', (c) => c.notNull().unique())
    .addColumn('sender_check', 'text', (c) => c.notNull())
    .addColumn('signature_header', 'text', (c) => c.notNull())
    .addColumn('delivery_header', 'text', (c) => c.notNull())
    .addColumn('has_secret', 'integer', (c) => c.notNull())
    .addColumn('secret', 'text', (c) => c.notNull())
    .addColumn('matchers', 'text', (c) => c.notNull())
    .addColumn('extractors', 'text', (c) => c.notNull())
    .addColumn('launch_values', 'text', (c) => c.notNull())
    .addColumn('last_call', 'text')
    .execute();
  await db.schema.createIndex('webhook_project').on('webhook').column('project_id').execute();
  await db.schema.createIndex('webhook_name').unique().on('webhook').columns(['template_id', 'name']).execute();
  await db.schema
    .createTable('webhook_delivery')
    .addColumn('id', sql.raw(columns.idOnce))
    .addColumn('webhook_id', 'integer', (c) => c.notNull().references('webhook.id').onDelete('cascade'))
    .addColumn('delivery', 'text', (c) => c.notNull())
    .addColumn('task_id', 'integer')
    .addColumn('created', 'text', (c) => c.notNull())
    .execute();
  // One server inserts a delivery, and the others find it.
  await db.schema
    .createIndex('webhook_delivery_once')
    .unique()
    .on('webhook_delivery')
    .columns(['webhook_id', 'delivery'])
    .execute();
  await db.schema.createIndex('webhook_delivery_created').on('webhook_delivery').column('created').execute();
  await db.schema
    .createTable('webhook_call')
    .addColumn('id', sql.raw(columns.idOnce))
    .addColumn('webhook_id', 'integer', (c) => c.notNull().references('webhook.id').onDelete('cascade'))
    .addColumn('created', 'text', (c) => c.notNull())
    .addColumn('sender', 'text', (c) => c.notNull())
    .addColumn('event', 'text', (c) => c.notNull())
    .addColumn('result', 'text', (c) => c.notNull())
    .addColumn('task_id', 'integer')
    .addColumn('reason', 'text')
    .addColumn('size', 'integer', (c) => c.notNull())
    .addColumn('verified', 'integer', (c) => c.notNull())
    .addColumn('headers', 'text', (c) => c.notNull())
    .addColumn('body', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('webhook_call_newest').on('webhook_call').columns(['webhook_id', 'id']).execute();
  await db.schema.createIndex('webhook_call_created').on('webhook_call').column('created').execute();
  await db.schema
    .alterTable('task')
    .addColumn('webhook_id', 'integer', (c) => c.references('webhook.id').onDelete('set null'))
    .execute();
  await db.schema
    .alterTable('task')
    .addColumn('webhook_name', 'text', (c) => c.notNull().defaultTo(''))
    .execute();
  // The deletion of a webhook finds its tasks. Most tasks have none.
  await sql`create index task_webhook on task (webhook_id) where webhook_id is not null`.execute(db);
};
