import type { StateReader } from '../database/database.ts';

/** Of a task that is not final: with a runner, it was given to that one. */
export const HELD = ['waiting', 'starting', 'running', 'stopping'] as const;

/** Whether a runner was given anything that has not ended. */
export const holdsTasks = async (db: StateReader, runnerId: number): Promise<boolean> => {
  const task = db.selectFrom('task').select('id').where('runner_id', '=', runnerId).where('status', 'in', HELD);
  return (await task.limit(1).executeTakeFirst()) !== undefined;
};
