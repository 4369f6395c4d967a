import type { Database } from '../../database/database.ts';
import type { Handlers } from '../../http/calls/call.ts';
import { notFound } from '../../http/errors/api-error.ts';
import type { LogStore } from '../../logs/log-store.ts';
import { ResultIndex } from '../../logs/results/result-index.ts';
import { summaryOf } from '../../logs/results/result-pages.ts';

interface Deps {
  readonly database: Database;
  readonly logs: LogStore;
}

const DEFAULT_STEPS = 1000;
const DEFAULT_HOSTS = 100;

const DEFAULT_TIMELINE_HOSTS = 50;
const DEFAULT_TIMELINE_STEPS = 200;

type ResultRoutes =
  | 'getTaskSummary'
  | 'listTaskSteps'
  | 'listTaskHosts'
  | 'getTaskTimeline'
  | 'listTaskFailures'
  | 'listTaskHostResults';

/** Routes for the results of a run of any size, in pages. */
export const taskResultsRoutes = ({ database, logs }: Deps): Pick<Handlers, ResultRoutes> => {
  /** Whether the results of a task still exist. Removed results read as empty. */
  const areThere = async (projectId: number, taskId: number): Promise<boolean> => {
    const row = await database.read
      .selectFrom('task')
      .select('log_removed')
      .where('id', '=', taskId)
      .where('project_id', '=', projectId)
      .executeTakeFirst();
    if (!row) throw notFound();
    return row.log_removed === 0;
  };

  return {
    getTaskSummary: async ({ params: { project_id, task_id } }) =>
      (await areThere(project_id, task_id)) ? await logs.resultSummary(task_id) : summaryOf(new ResultIndex()),

    listTaskSteps: async ({ params: { project_id, task_id }, query }) => {
      const first = query.from ?? 1;
      if (!(await areThere(project_id, task_id))) return { first, total: 0, steps: [] };
      return await logs.resultSteps(task_id, first, query.limit ?? DEFAULT_STEPS);
    },

    listTaskHosts: async ({ params: { project_id, task_id }, query }) => {
      const first = query.from ?? 1;
      if (!(await areThere(project_id, task_id))) return { first, total: 0, hosts: [] };
      return await logs.resultHosts(task_id, {
        first,
        limit: query.limit ?? DEFAULT_HOSTS,
        sort: query.sort ?? 'trouble',
        order: query.order,
        outcome: query.outcome,
        name: query.name,
        after: query.after,
        firstStep: query.from_step ?? 1,
        stepLimit: query.step_limit ?? 0,
      });
    },

    getTaskTimeline: async ({ params: { project_id, task_id }, query }) => {
      const page = {
        first: query.from ?? 1,
        limit: query.limit ?? DEFAULT_TIMELINE_HOSTS,
        firstStep: query.from_step ?? 1,
        stepLimit: query.step_limit ?? DEFAULT_TIMELINE_STEPS,
      };
      if (await areThere(project_id, task_id)) return await logs.resultTimeline(task_id, page);
      return {
        ...{ started: null, complete: false, ms: 0, first_step: page.firstStep, total_steps: 0, steps: [] },
        ...{ first: page.first, total: 0, hosts: [] },
      };
    },

    listTaskFailures: async ({ params: { project_id, task_id }, query }) => {
      const first = query.from ?? 1;
      if (!(await areThere(project_id, task_id))) return { first, total: 0, records: [] };
      return await logs.resultFailures(task_id, first, query.limit ?? DEFAULT_HOSTS);
    },

    listTaskHostResults: async ({ params: { project_id, task_id, host_number }, query }) => {
      if (!(await areThere(project_id, task_id))) throw notFound();
      const { from = 1, limit = DEFAULT_HOSTS, step } = query;
      const found = await logs.resultsOfHost(task_id, host_number, step, from, limit);
      if (!found) throw notFound();
      return found;
    },
  };
};
