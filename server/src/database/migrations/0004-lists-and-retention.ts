import { type Kysely, sql } from 'kysely';
import type { Capabilities } from '../dialects/capabilities.ts';

/** Each filter of a task list gets the index that answers it newest first, so that a page costs the same however many tasks there are. */
const indexes = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.createIndex('task_status').on('task').columns(['status', 'project_id', 'id']).execute();
  await db.schema.createIndex('task_status_template').on('task').columns(['status', 'template_id', 'id']).execute();
  // The user first: it also finds the tasks of a user that is deleted, as the index on the user alone did.
  await db.schema.dropIndex('task_user_id').execute();
  await db.schema.createIndex('task_user').on('task').columns(['user_id', 'project_id', 'id']).execute();
};

/** What is kept how long, and the logs that are still to be removed because their tasks are gone or their time is over. */
const retention = async (db: Kysely<unknown>, columns: Capabilities['columns']): Promise<void> => {
  for (const name of ['keep_tasks_days', 'keep_logs_days', 'keep_tasks_min'])
    await db.schema.alterTable('template').addColumn(name, 'integer').execute();
  await db.schema
    .alterTable('task')
    .addColumn('log_removed', 'integer', (c) => c.notNull().defaultTo(0).check(sql`log_removed in (0, 1)`))
    .execute();
  // It tells where the logs of a template begin that are still there.
  await sql`create index task_log_removed on task (template_id, id) where log_removed = 1`.execute(db);
  await db.schema
    .createTable('log_removal')
    .addColumn('id', sql.raw(columns.id), (c) => c.primaryKey())
    // No reference: the task may be gone.
    .addColumn('task_id', 'integer', (c) => c.notNull())
    .execute();
};

/** Indexes for lists with a filter, and all that retention needs. */
export const listsAndRetention = async (db: Kysely<unknown>, columns: Capabilities['columns']): Promise<void> => {
  await indexes(db);
  await retention(db, columns);
};
