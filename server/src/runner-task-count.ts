import { NOT_FINAL_STATUSES } from '@signalbox/contract';
import type { StateReader } from './database/database.ts';

/** Returns the function that counts the tasks of a runner, by its id: those that run or are leased to it. */
export const readTaskCounts = async (db: StateReader): Promise<(id: number) => number> => {
  const rows = await db
    .selectFrom('task')
    .select(['runner_id', (eb) => eb.fn.countAll<number>().as('tasks')])
    .where('status', 'in', NOT_FINAL_STATUSES)
    .where('runner_id', 'is not', null)
    .groupBy('runner_id')
    .execute();
  const counts = new Map(rows.map(({ runner_id, tasks }) => [runner_id, Number(tasks)]));
  return (id) => counts.get(id) ?? 0;
};
