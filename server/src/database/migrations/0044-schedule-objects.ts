import { type Kysely, sql } from 'kysely';

/**
 * Gives schedules due times of other kinds than a cron, a time zone, limits, a random delay and what happens when tasks
 * overlap. A task can wait for the task of its schedule before it.
 */
export const scheduleObjects = async (db: Kysely<unknown>): Promise<void> => {
  for (const name of [
    ...['run_at', 'own_timezone', 'starts_at', 'ends_at', 'overlap'],
    ...['problem_kind', 'problem_params', 'problem_time'],
  ])
    await db.schema.alterTable('schedule').addColumn(name, 'text').execute();
  await db.schema.alterTable('schedule').addColumn('interval_seconds', 'integer').execute();
  for (const name of ['jitter_seconds', 'delay_seconds', 'revision'])
    await db.schema
      .alterTable('schedule')
      .addColumn(name, 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
  await db.schema.alterTable('task').addColumn('after_task_id', 'integer').execute();
  // Finds the newest tasks of each schedule. Most tasks have none.
  await sql`create index task_schedule on task (schedule_id, id) where schedule_id is not null`.execute(db);
};
