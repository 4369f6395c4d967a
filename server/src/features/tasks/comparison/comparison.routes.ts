import type { Task } from '@signalbox/contract';
import type { Database, StateReader } from '../../../database/database.ts';
import type { Handlers } from '../../../http/calls/call.ts';
import { notFound } from '../../../http/errors/api-error.ts';
import type { LogStore } from '../../../logs/log-store.ts';
import { findTask } from '../task.read-model.ts';
import { changedAnswers, changedFields } from './changed-values.ts';

interface Deps {
  readonly database: Database;
  readonly logs: Pick<LogStore, 'compareRuns'>;
}

const DEFAULT_STEPS = 1000;

/** The last success before a task that changed hosts: a dry run proves nothing about them. */
const findLastSuccess = async (db: StateReader, task: Task): Promise<Task | undefined> => {
  const found = await db
    .selectFrom('task')
    .select('id')
    .where('template_id', '=', task.template_id)
    .where('status', '=', 'success')
    .where('dry_run', '=', 0)
    .where('id', '<', task.id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return found && (await findTask(db, task.project_id, found.id));
};

const NOTHING = { changed: [], answers: [], hosts: null, total: 0, different: 0, first: 1, steps: [] };

/** The log of a task; undefined if it was removed. */
const logOf = ({ id, log_removed }: Task): number | undefined => (log_removed ? undefined : id);

/** Route for the differences between two tasks of a template. */
export const comparisonRoutes = ({ database, logs }: Deps): Pick<Handlers, 'compareTask'> => ({
  compareTask: async ({ params: { project_id, task_id }, query }) => {
    const task = await findTask(database.read, project_id, task_id);
    if (!task) throw notFound();
    const other =
      query.with === undefined
        ? await findLastSuccess(database.read, task)
        : await findTask(database.read, project_id, query.with);
    if (!other && query.with === undefined) return { other: null, ...NOTHING };
    // A task of another template may be hidden from the caller.
    if (!other || other.template_id !== task.template_id) throw notFound();
    const [earlier, later] = other.id < task.id ? [other, task] : [task, other];
    const first = query.from ?? 1;
    return {
      other,
      changed: changedFields(earlier, later),
      answers: changedAnswers(earlier, later),
      ...(await logs.compareRuns(logOf(earlier), logOf(later), {
        first,
        limit: query.limit ?? DEFAULT_STEPS,
        onlyDifferent: query.different === 'true',
      })),
      first,
    };
  },
});
