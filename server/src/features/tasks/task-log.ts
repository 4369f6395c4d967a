import { isFinal } from '@signalbox/contract';
import type { Database } from '../../database/database.ts';
import { notFound } from '../../http/errors/api-error.ts';
import type { LogStore } from '../../logs/log-store.ts';
import { removalText } from '../../logs/removal-text.ts';
import { logRemovalOf } from './task.read-model.ts';

/** The parts of the log store that read. */
export type ReadableLog = Pick<LogStore, 'head' | 'lines' | 'linesBefore' | 'search' | 'results'> & {
  /** Number of lines of an ended task that are no longer stored; 0 while a task runs. */
  readonly missing: () => Promise<number>;
  /** When and why retention removed the lines, as text; undefined if it did not. */
  readonly removed: string | undefined;
};

/**
 * Opens the log of a task.
 * @throws not_found when the project has no such task
 */
export type OpenLog = (projectId: number, taskId: number) => Promise<ReadableLog>;

/** A log without its lines, whose results remain. */
const withoutLines = (logs: LogStore, removed: string): ReadableLog => ({
  removed,
  head: async (id) => ({ ...(await logs.head(id)), next_line: 1, closed: true }),
  lines: () => Promise.resolve([]),
  linesBefore: () => Promise.resolve([]),
  search: (_taskId, { from }) => Promise.resolve({ lines: [], next: from, total: 0 }),
  results: (...page) => logs.results(...page),
  missing: () => Promise.resolve(0),
});

/** Opens logs of existing tasks. A log that retention has removed has no lines. */
export const logOpener =
  (database: Database, logs: LogStore): OpenLog =>
  async (projectId, taskId) => {
    const row = await database.read
      .selectFrom('task')
      .select(['log_removed', 'status', 'log_lines', 'log_removed_at', 'log_removed_days', 'log_removed_by'])
      .where('id', '=', taskId)
      .where('project_id', '=', projectId)
      .executeTakeFirst();
    if (!row) throw notFound();
    if (row.log_removed === 1) return withoutLines(logs, removalText(logRemovalOf(row)));
    // A task that ended before a runner had it has no log, so its log was never closed.
    if (!isFinal(row.status)) return { ...logs, removed: undefined, missing: () => Promise.resolve(0) };
    return {
      ...logs,
      removed: undefined,
      head: async (id) => ({ ...(await logs.head(id)), closed: true }),
      missing: async () => {
        const { next_line } = await logs.head(taskId);
        // The head is lost too if the log file was replaced. Tasks of older versions have no count.
        const expected = Math.max(row.log_lines ?? 0, next_line - 1);
        return Math.max(0, expected - (await logs.storedLines(taskId)));
      },
    };
  };
