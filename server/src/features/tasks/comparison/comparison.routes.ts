import type { Task } from '@signalbox/contract';
import type { Database, StateReader } from '../../../database/database.ts';
import type { Handlers } from '../../../http/calls/call.ts';
import { notFound } from '../../../http/errors/api-error.ts';
import type { LogStore } from '../../../logs/log-store.ts';
import { HOSTS_BY_NAME } from '../../../logs/results/result-pages.ts';
import { findTask } from '../task.read-model.ts';
import { alignSteps, type NamedStep } from './aligned-steps.ts';
import { changedAnswers, changedFields, changedHosts } from './changed-values.ts';

interface Deps {
  readonly database: Database;
  readonly logs: LogStore;
}

const DEFAULT_STEPS = 1000;
/** Number of first steps of a run that are compared. */
const MAX_STEPS = 5000;
/** Number of hosts of a run up to which they are compared. */
const MAX_HOSTS = 20_000;

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

/** Route for the differences between two tasks of a template. */
export const comparisonRoutes = ({ database, logs }: Deps): Pick<Handlers, 'compareTask'> => {
  /** The steps and hosts of a run. Removed results read as empty. */
  const runOf = async ({ id, log_removed }: Task): Promise<{ steps: NamedStep[]; hosts: string[] }> => {
    if (log_removed) return { steps: [], hosts: [] };
    const { plays } = await logs.resultSummary(id);
    const { steps } = await logs.resultSteps(id, 1, MAX_STEPS);
    const { hosts, total } = await logs.resultHosts(id, { ...HOSTS_BY_NAME, first: 1, limit: MAX_HOSTS });
    const names = new Map(plays.map(({ play, name }) => [play, name]));
    return {
      steps: steps.map((step) => ({ ...step, playName: names.get(step.play) ?? '' })),
      hosts: total > MAX_HOSTS ? [] : hosts.map(({ host }) => host),
    };
  };

  return {
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
      const [before, after] = [await runOf(earlier), await runOf(later)];
      const pairs = alignSteps(before.steps, after.steps);
      const different = pairs.filter(({ differs }) => differs);
      const shown = query.different === 'true' ? different : pairs;
      const first = query.from ?? 1;
      return {
        other,
        changed: changedFields(earlier, later),
        answers: changedAnswers(earlier, later),
        hosts: changedHosts(before.hosts, after.hosts),
        total: pairs.length,
        different: different.length,
        first,
        steps: shown.slice(first - 1, first - 1 + (query.limit ?? DEFAULT_STEPS)),
      };
    },
  };
};
