import type { StateReader } from '../../database/database.ts';

/** Statuses of tasks that are not final. Such a task with a runner is leased to it. */
export const HELD = ['waiting', 'starting', 'running', 'stopping'] as const;

/** Whether a runner holds a task or a query that has not ended. */
export const holdsTasks = async (db: StateReader, runnerId: number): Promise<boolean> => {
  const task = db.selectFrom('task').select('id').where('runner_id', '=', runnerId).where('status', 'in', HELD);
  return (await task.limit(1).executeTakeFirst()) !== undefined;
};
