import { type Kysely, sql } from 'kysely';

/** Adds whether a user keeps a task, and finds the tasks whose logs exist. */
export const keptTasks = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .alterTable('task')
    .addColumn('kept', 'integer', (c) => c.notNull().defaultTo(0).check(sql`kept in (0, 1)`))
    .execute();
  await sql`create index task_with_log on task (template_id, id) where log_removed = 0`.execute(db);
};
