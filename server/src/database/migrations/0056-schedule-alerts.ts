import { type Kysely, sql } from 'kysely';

/** Makes the task of an alert optional, and adds alerts of schedules that started no task. */
export const scheduleAlerts = async (db: Kysely<unknown>): Promise<void> => {
  // SQLite cannot make a column optional.
  await db.schema.alterTable('alert').addColumn('optional_task', 'integer').execute();
  await sql`update alert set optional_task = task_id`.execute(db);
  await db.schema.alterTable('alert').dropColumn('task_id').execute();
  await db.schema.alterTable('alert').renameColumn('optional_task', 'task_id').execute();
  // No foreign key: users are notified even if the schedule is deleted soon.
  await db.schema.alterTable('alert').addColumn('schedule_id', 'integer').execute();
  await db.schema.alterTable('alert').addColumn('schedule_reason', 'text').execute();
  await sql`create index alert_schedule on alert (schedule_id, created) where schedule_id is not null`.execute(db);
};
