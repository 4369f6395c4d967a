import { isFinal } from '@signalbox/contract';
import type { Database } from '../../database/database.ts';
import { notFound } from '../../http/errors/api-error.ts';
import { EMPTY_HEAD } from '../../logs/log-blocks.ts';
import type { LogStore } from '../../logs/log-store.ts';

/** The parts of the log store that read. */
export type ReadableLog = Pick<LogStore, 'head' | 'lines' | 'linesBefore' | 'results'> & {
  /** Number of lines of an ended task that are no longer stored; 0 while a task runs. */
  readonly missing: () => Promise<number>;
};

/**
 * Opens the log of a task.
 * @throws not_found when the project has no such task
 */
export type OpenLog = (projectId: number, taskId: number) => Promise<ReadableLog>;

const REMOVED: ReadableLog = {
  head: () => Promise.resolve({ ...EMPTY_HEAD, closed: true }),
  lines: () => Promise.resolve([]),
  linesBefore: () => Promise.resolve([]),
  results: () => Promise.resolve([]),
  missing: () => Promise.resolve(0),
};

/** Opens logs of existing tasks. A log that retention has removed reads as empty. */
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
    // A task that ended before a runner had it has no log, so its log was never closed.
    if (!isFinal(row.status)) return { ...logs, missing: () => Promise.resolve(0) };
    return {
      ...logs,
      head: async (id) => ({ ...(await logs.head(id)), closed: true }),
      missing: async () => {
        const { next_line } = await logs.head(taskId);
        // The head is lost too if the log file was replaced. Tasks of older versions have no count.
        const expected = Math.max(row.log_lines ?? 0, next_line - 1);
        return Math.max(0, expected - (await logs.storedLines(taskId)));
      },
    };
  };
