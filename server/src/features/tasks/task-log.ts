import { isFinal } from '@signalbox/contract';
import type { Database } from '../../database/database.ts';
import { notFound } from '../../http/api-error.ts';
import { EMPTY_HEAD } from '../../logs/log-blocks.ts';
import type { LogStore } from '../../logs/log-store.ts';

/** What of a log is read. */
export type ReadableLog = Pick<LogStore, 'head' | 'lines' | 'linesBefore' | 'results'> & {
  /** How many lines of an ended task are no longer stored. 0 while a task runs. */
  readonly missing: () => Promise<number>;
};

/** The log of a task of a project; throws `not found` where there is no such task. */
export type OpenLog = (projectId: number, taskId: number) => Promise<ReadableLog>;

const REMOVED: ReadableLog = {
  head: () => Promise.resolve({ ...EMPTY_HEAD, sealed: true }),
  lines: () => Promise.resolve([]),
  linesBefore: () => Promise.resolve([]),
  results: () => Promise.resolve([]),
  missing: () => Promise.resolve(0),
};

/** Opens logs of tasks that are there; one that was kept long enough is empty from the moment when that is said. */
export const logOpener =
  (database: Database, logs: LogStore): OpenLog =>
  async (projectId, taskId) => {
    const row = await database.read
      .selectFrom('task')
      .select(['log_removed', 'status', 'log_lines'])
      .where('id', '=', taskId)
      .where('project_id', '=', projectId)
      .executeTakeFirst();
    if (!row) throw notFound();
    if (row.log_removed === 1) return REMOVED;
    // One that ended before a runner had it has no log, and nobody has sealed it.
    if (!isFinal(row.status)) return { ...logs, missing: () => Promise.resolve(0) };
    return {
      ...logs,
      head: async (id) => ({ ...(await logs.head(id)), sealed: true }),
      missing: async () => {
        const { next_line } = await logs.head(taskId);
        // The head is lost too if the file of logs was replaced; tasks of older versions have no count.
        const expected = Math.max(row.log_lines ?? 0, next_line - 1);
        return Math.max(0, expected - (await logs.storedLines(taskId)));
      },
    };
  };
