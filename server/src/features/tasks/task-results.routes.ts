import type { Database } from '../../database/database.ts';
import type { Handlers } from '../../http/calls/call.ts';
import { notFound } from '../../http/errors/api-error.ts';
import type { LogStore } from '../../logs/log-store.ts';

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
  /** @throws not_found if the project has no such task */
  const check = async (projectId: number, taskId: number): Promise<void> => {
    const row = await database.read
      .selectFrom('task')
      .select('id')
      .where('id', '=', taskId)
      .where('project_id', '=', projectId)
      .executeTakeFirst();
    if (!row) throw notFound();
  };

  return {
    getTaskSummary: async ({ params: { project_id, task_id } }) => {
      await check(project_id, task_id);
      return await logs.resultSummary(task_id);
    },

    listTaskSteps: async ({ params: { project_id, task_id }, query }) => {
      const first = query.from ?? 1;
      await check(project_id, task_id);
      return await logs.resultSteps(task_id, first, query.limit ?? DEFAULT_STEPS);
    },

    listTaskHosts: async ({ params: { project_id, task_id }, query }) => {
      const first = query.from ?? 1;
      await check(project_id, task_id);
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
      await check(project_id, task_id);
      return await logs.resultTimeline(task_id, page);
    },

    listTaskFailures: async ({ params: { project_id, task_id }, query }) => {
      const first = query.from ?? 1;
      await check(project_id, task_id);
      return await logs.resultFailures(task_id, first, query.limit ?? DEFAULT_HOSTS);
    },

    listTaskHostResults: async ({ params: { project_id, task_id, host_number }, query }) => {
      await check(project_id, task_id);
      const { from = 1, limit = DEFAULT_HOSTS, step } = query;
      const found = await logs.resultsOfHost(task_id, host_number, step, from, limit);
      if (!found) throw notFound();
      return found;
    },
  };
};
