import { type SqlBool, sql } from 'kysely';
import type { StateReader } from '../../database/database.ts';

/**
 * Condition for runs that count: those that succeeded, and those that failed on hosts. Dry runs and stopped runs do not
 * count, nor does a run that failed before it reached a host: it does not show that a failure was fixed.
 * @param table name or alias of the table of tasks
 */
export const isCountedRun = (table: string) => {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return sql<SqlBool>`(${column('dry_run')} = 0 and (${column('status')} = 'success' or (${column('status')} = 'error'
    and exists (select 1 from task_failure counted where counted.task_id = ${column('id')}))))`;
};

/** Whether an ended task counts. Its failures must be stored before. */
export const isCounted = async (db: StateReader, taskId: number): Promise<boolean> => {
  const row = await db
    .selectFrom('task')
    .select('id')
    .where('id', '=', taskId)
    .where(isCountedRun('task'))
    .executeTakeFirst();
  return row !== undefined;
};
