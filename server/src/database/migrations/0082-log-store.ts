import { type Kysely, sql } from 'kysely';
import type { Capabilities } from '../dialects/capabilities.ts';

/** Adds the store to which logs of ended tasks are moved, its objects, and which tasks wait for that. */
export const logStore = async (db: Kysely<unknown>, columns: Capabilities['columns']): Promise<void> => {
  await db.schema
    .createTable('log_store')
    .addColumn('id', sql.raw(columns.idOnce))
    .addColumn('installation', 'text', (c) => c.notNull())
    .addColumn('secret', 'text', (c) => c.notNull())
    .addColumn('marked', 'integer', (c) => c.notNull())
    .addColumn('address', 'text', (c) => c.notNull())
    .addColumn('failing_since', 'text')
    .addColumn('failure', 'text')
    .execute();
  await db.schema
    .createTable('log_object')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('task_id', 'integer', (c) => c.notNull())
    .addColumn('stage', 'text', (c) => c.notNull())
    .addColumn('parts', 'integer', (c) => c.notNull())
    .addColumn('bytes', sql.raw(columns.long), (c) => c.notNull())
    .addColumn('created', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('log_object_task').on('log_object').columns(['task_id']).execute();
  await sql`create index log_object_unfinished on log_object (stage, name) where stage <> 'stored'`.execute(db);
  await db.schema
    .alterTable('task')
    .addColumn('log_moved', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await sql`
    create index task_log_unmoved on task (end_time) where log_moved = 0 and log_removed = 0 and end_time is not null
  `.execute(db);
};
