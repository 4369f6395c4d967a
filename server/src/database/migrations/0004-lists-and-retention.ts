import { type Kysely, sql } from 'kysely';
import type { Capabilities } from '../dialects/capabilities.ts';

/**
 * One index per filter of task lists, newest first, so that the cost of a page does not depend on the number of
 * tasks.
 */
const indexes = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.createIndex('task_status').on('task').columns(['status', 'project_id', 'id']).execute();
  await db.schema.createIndex('task_status_template').on('task').columns(['status', 'template_id', 'id']).execute();
  // The user comes first, so this index also finds the tasks of a user who is deleted.
  await db.schema.dropIndex('task_user_id').execute();
  await db.schema.createIndex('task_user').on('task').columns(['user_id', 'project_id', 'id']).execute();
};

/** Settings for retention, and logs that are to be removed because their tasks were deleted or have expired. */
const retention = async (db: Kysely<unknown>, columns: Capabilities['columns']): Promise<void> => {
  for (const name of ['keep_tasks_days', 'keep_logs_days', 'keep_tasks_min'])
    await db.schema.alterTable('template').addColumn(name, 'integer').execute();
  await db.schema
    .alterTable('task')
    .addColumn('log_removed', 'integer', (c) => c.notNull().defaultTo(0).check(sql`log_removed in (0, 1)`))
    .execute();
  // Finds the first task of a template that still has a log.
  await sql`create index task_log_removed on task (template_id, id) where log_removed = 1`.execute(db);
  await db.schema
    .createTable('log_removal')
    .addColumn('id', sql.raw(columns.id), (c) => c.primaryKey())
    // No foreign key, because the task may be deleted.
    .addColumn('task_id', 'integer', (c) => c.notNull())
    .execute();
};

/** Indexes for filtered lists, and tables for retention. */
export const listsAndRetention = async (db: Kysely<unknown>, columns: Capabilities['columns']): Promise<void> => {
  await indexes(db);
  await retention(db, columns);
};
