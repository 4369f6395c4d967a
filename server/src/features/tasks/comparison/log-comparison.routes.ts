import type { Database } from '../../../database/database.ts';
import type { Handlers } from '../../../http/calls/call.ts';
import { ApiError } from '../../../http/errors/api-error.ts';
import type { LogStore } from '../../../logs/log-store.ts';
import { findCompared } from './compared-tasks.ts';

interface Deps {
  readonly database: Database;
  readonly logs: Pick<LogStore, 'compareLogs'>;
}

/** Route for the lines in which the logs of two tasks of a template differ. */
export const logComparisonRoutes = ({ database, logs }: Deps): Pick<Handlers, 'compareTaskLogs'> => ({
  compareTaskLogs: async ({ params: { project_id, task_id }, query }) => {
    const found = await findCompared(database.read, project_id, task_id, query.with);
    if (!found) throw new ApiError('conflict.no_other_task');
    const { other, earlier, later } = found;
    const removed = [earlier, later].filter(({ log_removed }) => log_removed).map(({ id }) => id);
    if (removed.length > 0) return { other_id: other.id, removed, parts: [], lines: 0, total: 0, next: null };
    return { other_id: other.id, removed, ...(await logs.compareLogs(earlier.id, later.id, query.from ?? 1)) };
  },
});
