import type { Kysely } from 'kysely';

/** Stores which schedule started a task, which runner ran it, and how many lines its log had when it ended. */
export const taskOrigins = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .alterTable('task')
    .addColumn('schedule_id', 'integer', (column) => column.references('schedule.id').onDelete('set null'))
    .execute();
  await db.schema
    .alterTable('task')
    .addColumn('runner_name', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
  await db.schema.alterTable('task').addColumn('log_lines', 'integer').execute();
};
