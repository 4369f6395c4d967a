import { NOT_FINAL_STATUSES } from '@signalbox/contract';
import type { Database } from '../../database/database.ts';

/** Counts the tasks in each status that is not final. */
export const countActiveTasks = async (
  database: Database,
): Promise<readonly { readonly status: string; readonly count: number }[]> => {
  const rows = await database.read
    .selectFrom('task')
    .select(['status', (eb) => eb.fn.countAll<number>().as('count')])
    .where('status', 'in', NOT_FINAL_STATUSES)
    .groupBy('status')
    .execute();
  return rows.map(({ status, count }) => ({ status, count: Number(count) }));
};
