import { type Kysely, sql } from 'kysely';
import type { Capabilities } from '../dialects/capabilities.ts';

const languages = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.alterTable('users').addColumn('language', 'text').execute();
  await db.schema
    .alterTable('project')
    .addColumn('alert_language', 'text', (column) => column.notNull().defaultTo('en'))
    .execute();
};

const receivers = async (db: Kysely<unknown>, columns: Capabilities['columns']): Promise<void> => {
  await db.schema
    .createTable('alert_receiver')
    .addColumn('id', sql.raw(columns.id), (c) => c.primaryKey())
    .addColumn('project_id', 'integer', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('active', 'integer', (c) => c.notNull())
    .addColumn('has_secret', 'integer', (c) => c.notNull())
    .addColumn('secret', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('alert_receiver_name')
    .on('alert_receiver')
    .columns(['project_id', 'name'])
    .unique()
    .execute();
};

const outbox = async (db: Kysely<unknown>, columns: Capabilities['columns']): Promise<void> => {
  await db.schema
    .createTable('alert')
    .addColumn('id', sql.raw(columns.id), (c) => c.primaryKey())
    .addColumn('project_id', 'integer', (c) => c.notNull().references('project.id').onDelete('cascade'))
    // No foreign key: users are notified even if the task is deleted soon.
    .addColumn('task_id', 'integer', (c) => c.notNull())
    .addColumn('created', 'text', (c) => c.notNull())
    .addColumn('facts', 'text', (c) => c.notNull())
    .addColumn('findings', 'text')
    .execute();
  await db.schema.createIndex('alert_project').on('alert').column('project_id').execute();
  await db.schema.createIndex('alert_created').on('alert').column('created').execute();
  await db.schema
    .createTable('alert_delivery')
    .addColumn('id', sql.raw(columns.id), (c) => c.primaryKey())
    .addColumn('alert_id', 'integer', (c) => c.notNull().references('alert.id').onDelete('cascade'))
    .addColumn('project_id', 'integer', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addColumn('channel', 'text', (c) => c.notNull())
    .addColumn('queue', 'text', (c) => c.notNull())
    .addColumn('user_id', 'integer', (c) => c.references('users.id').onDelete('set null'))
    .addColumn('receiver_id', 'integer', (c) => c.references('alert_receiver.id').onDelete('set null'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('message_id', 'text', (c) => c.notNull())
    .addColumn('created', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('next_attempt', 'text')
    .addColumn('lease', 'text')
    .addColumn('lease_until', 'text')
    .addColumn('fault', 'text')
    .addColumn('detail', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('ended', 'text')
    .execute();
  await db.schema.createIndex('alert_delivery_alert').on('alert_delivery').column('alert_id').execute();
  await db.schema.createIndex('alert_delivery_project').on('alert_delivery').columns(['project_id', 'id']).execute();
  await db.schema.createIndex('alert_delivery_user').on('alert_delivery').column('user_id').execute();
  await db.schema.createIndex('alert_delivery_receiver').on('alert_delivery').column('receiver_id').execute();
  // A partial index: few messages wait, and sent ones are kept for a while.
  await db.schema
    .createIndex('alert_delivery_waiting')
    .on('alert_delivery')
    .columns(['queue', 'id'])
    .where(sql<boolean>`state = 'waiting'`)
    .execute();
};

/** Alerts: receivers of projects, messages to be sent, and the result of each. */
export const alerts = async (db: Kysely<unknown>, columns: Capabilities['columns']): Promise<void> => {
  await languages(db);
  await db.schema
    .alterTable('task')
    .addColumn('started_by', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
  await receivers(db, columns);
  await outbox(db, columns);
};
