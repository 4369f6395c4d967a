import type { Kysely } from 'kysely';

/** Adds how long a project keeps tasks and logs, and when and why a log was removed. */
export const projectRetention = async (db: Kysely<unknown>): Promise<void> => {
  for (const column of ['keep_tasks_days', 'keep_logs_days', 'keep_tasks_min'])
    await db.schema.alterTable('project').addColumn(column, 'integer').execute();
  await db.schema.alterTable('task').addColumn('log_removed_at', 'text').execute();
  await db.schema.alterTable('task').addColumn('log_removed_days', 'integer').execute();
  await db.schema.alterTable('task').addColumn('log_removed_by', 'text').execute();
};
