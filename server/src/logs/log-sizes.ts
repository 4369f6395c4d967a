import type { Logs } from '../database/database.ts';
import { decodePosition } from './objects/block-source.ts';

/** Stored bytes of the lines and of the results of a task, wherever they are. */
export interface LogSize {
  readonly taskId: number;
  readonly lines: number;
  readonly results: number;
}

/** Reads the compressed sizes of some logs, also of those that were moved. Reads no data of logs. At most 500 tasks. */
export const readLogSizes = async (db: Logs, taskIds: readonly number[]): Promise<LogSize[]> => {
  const sizes = new Map(taskIds.map((taskId) => [taskId, { taskId, lines: 0, results: 0 }]));
  if (taskIds.length === 0) return [];
  const add = (taskId: number, stream: string, bytes: number): void => {
    const size = sizes.get(taskId);
    if (size) size[stream === 'output' ? 'lines' : 'results'] += bytes;
  };
  const stored = await db
    .selectFrom('log_block')
    .select((eb) => ['task_id', 'stream', eb.fn.sum<number | string>(eb.fn('length', ['data'])).as('bytes')])
    .where('task_id', 'in', taskIds)
    .where('kind', 'in', ['loose', 'packed'])
    .groupBy(['task_id', 'stream'])
    .execute();
  for (const { task_id, stream, bytes } of stored) add(task_id, stream, Number(bytes));
  const moved = await db
    .selectFrom('log_block')
    .select(['task_id', 'stream', 'data'])
    .where('task_id', 'in', taskIds)
    .where('kind', '=', 'moved')
    .execute();
  for (const { task_id, stream, data } of moved) add(task_id, stream, decodePosition(data).length);
  return [...sizes.values()];
};
