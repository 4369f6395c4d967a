import type { LogStore } from '../../logs/log-store.ts';
import { cutoff, expiredTasks, type RetentionSources } from './expired-tasks.ts';
import { type Retention, readRetentions } from './retention-settings.ts';

export interface ExpiredSizes {
  readonly tasks: number;
  /** Logs that are removed, also those of the tasks. */
  readonly logs: number;
  readonly bytes: number;
}

/** Tasks per query. */
const PAGE = 500;

/** Counts what a sweep would remove now, and removes nothing. */
export const readExpired = async (
  sources: RetentionSources,
  logs: Pick<LogStore, 'sizes'>,
  system: Retention,
  now: Date,
): Promise<ExpiredSizes> => {
  const { database } = sources;
  let [tasks, logCount, bytes] = [0, 0, 0];
  const add = async (what: 'task' | 'log', ids: readonly number[]): Promise<void> => {
    const rows = await database.read.selectFrom('task').select(['id', 'log_removed']).where('id', 'in', ids).execute();
    const withLog = new Set(rows.filter(({ log_removed }) => log_removed === 0).map(({ id }) => id));
    if (what === 'task') tasks += rows.length;
    logCount += withLog.size;
    for (const { taskId, lines, results } of await logs.sizes(ids))
      bytes += (withLog.has(taskId) ? lines : 0) + (what === 'task' ? results : 0);
  };
  for (const { id, tasksDays, logsDays, leastTasks: least } of await readRetentions(database, system)) {
    const removed = new Set<number>();
    const before = cutoff(tasksDays, now);
    if (before !== undefined)
      for await (const ids of expiredTasks(sources, 'task', { id, least, before }, PAGE)) {
        for (const task of ids) removed.add(task);
        await add('task', ids);
      }
    const logsBefore = cutoff(logsDays, now);
    if (logsBefore !== undefined)
      for await (const ids of expiredTasks(sources, 'log', { id, least, before: logsBefore }, PAGE)) {
        const others = ids.filter((task) => !removed.has(task));
        if (others.length > 0) await add('log', others);
      }
  }
  return { tasks, logs: logCount, bytes };
};
