import type { Task } from '@signalbox/contract';
import type { Database } from '../../../database/database.ts';
import type { Handlers } from '../../../http/calls/call.ts';
import { notFound } from '../../../http/errors/api-error.ts';
import type { LogStore } from '../../../logs/log-store.ts';
import { findTask } from '../task.read-model.ts';
import { changedAnswers, changedFields } from './changed-values.ts';
import { findCompared } from './compared-tasks.ts';
import { changedVersions, versionsOf } from './run-versions.ts';

interface Deps {
  readonly database: Database;
  readonly logs: Pick<LogStore, 'compareRuns' | 'head'>;
}

const DEFAULT_STEPS = 1000;

const NOTHING = {
  changed: [],
  unknown: [],
  answers: [],
  versions: [],
  hosts: null,
  total: 0,
  different: 0,
  first: 1,
  steps: [],
};

/** Route for the differences between two tasks of a template. */
export const comparisonRoutes = ({ database, logs }: Deps): Pick<Handlers, 'compareTask' | 'getTaskVersions'> => {
  /** The results of a task; undefined if an earlier version removed them with the log. */
  const resultsOf = async ({ id, log_removed }: Task): Promise<number | undefined> =>
    log_removed && (await logs.head(id)).next_result === 1 ? undefined : id;

  return {
    getTaskVersions: async ({ params: { project_id, task_id } }) => {
      if (!(await findTask(database.read, project_id, task_id))) throw notFound();
      return { versions: (await versionsOf(database.read, task_id)) ?? null };
    },

    compareTask: async ({ params: { project_id, task_id }, query }) => {
      const found = await findCompared(database.read, project_id, task_id, query.with);
      if (!found) return { other: null, ...NOTHING };
      const { other, earlier, later } = found;
      const first = query.from ?? 1;
      return {
        other,
        ...(await changedFields(database.read, earlier, later)),
        answers: changedAnswers(earlier, later),
        versions: await changedVersions(database.read, earlier.id, later.id),
        ...(await logs.compareRuns(await resultsOf(earlier), await resultsOf(later), {
          first,
          limit: query.limit ?? DEFAULT_STEPS,
          onlyDifferent: query.different === 'true',
        })),
        first,
      };
    },
  };
};
