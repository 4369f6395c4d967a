import { NOT_FINAL_STATUSES } from '@signalbox/contract';
import type { StateReader } from '../../database/database.ts';

/** Whether a runner has a task that has not ended. */
export const hasTasks = async (db: StateReader, runnerId: number): Promise<boolean> => {
  const task = db
    .selectFrom('task')
    .select('id')
    .where('runner_id', '=', runnerId)
    .where('status', 'in', NOT_FINAL_STATUSES);
  return (await task.limit(1).executeTakeFirst()) !== undefined;
};
