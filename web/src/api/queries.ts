import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { eventTexts } from '../lang/event-texts.ts';
import { failureCauses } from '../lang/failure-causes.ts';
import { call } from './call.ts';
import { queryKey, type TaskFilter } from './keys.ts';

/** Number of tasks that the history loads in one request: ten of its pages. */
const HISTORY_CHUNK = 200;
/** Maximum number of tasks of one template that its page loads. */
const TEMPLATE_TASKS_LIMIT = 200;

export const userQuery = () =>
  queryOptions({
    queryKey: queryKey.user,
    queryFn: ({ signal }) => call('currentUser', { signal }),
    staleTime: 300_000,
  });

export const projectsQuery = () =>
  queryOptions({
    queryKey: queryKey.projects,
    queryFn: ({ signal }) => call('listProjects', { signal }),
    staleTime: 60_000,
  });

export const roleQuery = (project_id: number) =>
  queryOptions({
    queryKey: queryKey.role(project_id),
    queryFn: ({ signal }) => call('getRole', { params: { project_id }, signal }),
    staleTime: 60_000,
  });

export const viewsQuery = (project_id: number) =>
  queryOptions({
    queryKey: queryKey.views(project_id),
    queryFn: ({ signal }) => call('listViews', { params: { project_id }, signal }),
    staleTime: 60_000,
  });

export const labelsQuery = (project_id: number) =>
  queryOptions({
    queryKey: queryKey.labels(project_id),
    queryFn: ({ signal }) => call('listLabels', { params: { project_id }, signal }),
    staleTime: 60_000,
  });

export const freezeWindowsQuery = (project_id: number) =>
  queryOptions({
    queryKey: queryKey.freezeWindows(project_id),
    queryFn: ({ signal }) => call('listFreezeWindows', { params: { project_id }, signal }),
    staleTime: 60_000,
  });

export const templatesQuery = (project_id: number) =>
  queryOptions({
    queryKey: queryKey.templates(project_id),
    queryFn: ({ signal }) => call('listTemplates', { params: { project_id }, signal }),
  });

export const templateQuery = (project_id: number, template_id: number) =>
  queryOptions({
    queryKey: queryKey.template(project_id, template_id),
    queryFn: ({ signal }) => call('getTemplate', { params: { project_id, template_id }, signal }),
  });

/** The tasks of a project, newest first, in chunks. Each chunk starts below the last id of the chunk before it. */
export const tasksQuery = (project_id: number, filter: TaskFilter = {}) =>
  infiniteQueryOptions({
    queryKey: queryKey.tasks(project_id, filter),
    queryFn: ({ signal, pageParam }) =>
      call('listTasks', {
        params: { project_id },
        query: { limit: HISTORY_CHUNK, before: pageParam, ...filter },
        signal,
      }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (last) => (last.length < HISTORY_CHUNK ? undefined : last.at(-1)?.id),
  });

/** The outcomes of the newest tasks of each template. */
export const outcomesQuery = (project_id: number) =>
  queryOptions({
    queryKey: queryKey.outcomes(project_id),
    queryFn: ({ signal }) => call('listOutcomes', { params: { project_id }, signal }),
  });

/** The outcomes of the tasks of the last days, by default of two weeks. */
export const statisticsQuery = (project_id: number, days?: number) =>
  queryOptions({
    queryKey: [...queryKey.statistics(project_id), days],
    queryFn: ({ signal }) => call('getTaskStatistics', { params: { project_id }, query: { days }, signal }),
    staleTime: 60_000,
  });

export const templateTasksQuery = (project_id: number, template_id: number, limit = TEMPLATE_TASKS_LIMIT) =>
  queryOptions({
    queryKey: queryKey.templateTasks(project_id, template_id, limit),
    queryFn: ({ signal }) =>
      call('listLastTemplateTasks', {
        params: { project_id, template_id },
        query: { limit },
        signal,
      }),
  });

/** The builds that a deploy task can use: the successful tasks of a build template, newest first. */
export const buildsQuery = (project_id: number, template_id: number) =>
  queryOptions({
    queryKey: queryKey.builds(project_id, template_id),
    queryFn: ({ signal }) =>
      call('listTemplateTasks', {
        params: { project_id, template_id },
        query: { status: 'success', limit: 100 },
        signal,
      }),
  });

/** How often is read why tasks wait, in milliseconds: it also changes without an event of the task. */
const WAITING_POLL_MS = 1500;

export const taskQuery = (project_id: number, task_id: number) =>
  queryOptions({
    queryKey: queryKey.task(project_id, task_id),
    queryFn: ({ signal }) => call('getTask', { params: { project_id, task_id }, signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'waiting' ? WAITING_POLL_MS : false),
  });

/** The hosts of an inventory, which a runner reads. A file is taken from the repository. */
export const inventoryHostsQuery = (project_id: number, inventory_id: number, repository_id: number) =>
  queryOptions({
    queryKey: [...queryKey.resources(project_id, 'inventory'), inventory_id, 'hosts', repository_id],
    queryFn: ({ signal }) =>
      call('getInventoryHosts', { params: { project_id, inventory_id }, query: { repository_id }, signal }),
  });

/** How the newest run of a template ended on each host. */
export const templateHostsQuery = (project_id: number, template_id: number) =>
  queryOptions({
    queryKey: [...queryKey.template(project_id, template_id), 'hosts'],
    queryFn: ({ signal }) => call('listTemplateHosts', { params: { project_id, template_id }, signal }),
  });

const RESOURCES_STALE = 60_000;

export const inventoryQuery = (project_id: number) =>
  queryOptions({
    queryKey: queryKey.resources(project_id, 'inventory'),
    queryFn: ({ signal }) => call('listInventory', { params: { project_id }, signal }),
    staleTime: RESOURCES_STALE,
  });

export const environmentsQuery = (project_id: number) =>
  queryOptions({
    queryKey: queryKey.resources(project_id, 'environment'),
    queryFn: ({ signal }) => call('listEnvironments', { params: { project_id }, signal }),
    staleTime: RESOURCES_STALE,
  });

export const repositoriesQuery = (project_id: number) =>
  queryOptions({
    queryKey: queryKey.resources(project_id, 'repositories'),
    queryFn: ({ signal }) => call('listRepositories', { params: { project_id }, signal }),
    staleTime: RESOURCES_STALE,
  });

/** Time after which the files and branches of a repository are read again, in milliseconds: branches change. */
const LOOKUP_STALE = 120_000;

/** The files on the branch of a repository, by path. */
export const repositoryFilesQuery = (project_id: number, repository_id: number) =>
  queryOptions({
    queryKey: [...queryKey.repository(project_id, repository_id), 'files'],
    queryFn: ({ signal }) => call('listRepositoryFiles', { params: { project_id, repository_id }, signal }),
    staleTime: LOOKUP_STALE,
    // No retry: the runner has already tried for a long time and returned the reason.
    retry: false,
  });

/** The playbooks on the branch of a repository, found by a runner. */
export const playbooksQuery = (project_id: number, repository_id: number) =>
  queryOptions({
    queryKey: [...queryKey.repository(project_id, repository_id), 'playbooks'],
    queryFn: ({ signal }) => call('findPlaybooks', { params: { project_id, repository_id }, signal }),
    staleTime: LOOKUP_STALE,
    retry: false,
  });

export const branchesQuery = (project_id: number, repository_id: number) =>
  queryOptions({
    queryKey: [...queryKey.repository(project_id, repository_id), 'branches'],
    queryFn: ({ signal }) => call('listBranches', { params: { project_id, repository_id }, signal }),
    staleTime: LOOKUP_STALE,
    retry: false,
  });

export const keysQuery = (project_id: number) =>
  queryOptions({
    queryKey: queryKey.resources(project_id, 'keys'),
    queryFn: ({ signal }) => call('listKeys', { params: { project_id }, signal }),
    staleTime: RESOURCES_STALE,
  });

export const infoQuery = () =>
  queryOptions({ queryKey: queryKey.info, queryFn: ({ signal }) => call('systemInfo', { signal }) });

export const systemQuery = () =>
  queryOptions({ queryKey: queryKey.system, queryFn: ({ signal }) => call('getSystem', { signal }) });

export const signInOptionsQuery = () =>
  queryOptions({ queryKey: queryKey.signInOptions, queryFn: ({ signal }) => call('signInOptions', { signal }) });

export const teamQuery = (project_id: number) =>
  queryOptions({
    queryKey: queryKey.team(project_id),
    queryFn: ({ signal }) =>
      call('listProjectUsers', { params: { project_id }, query: { sort: 'name', order: 'asc' }, signal }),
    staleTime: RESOURCES_STALE,
  });

export const usersQuery = () =>
  queryOptions({ queryKey: queryKey.users, queryFn: ({ signal }) => call('listUsers', { signal }) });

export const secondFactorQuery = () =>
  queryOptions({ queryKey: queryKey.secondFactor, queryFn: ({ signal }) => call('getSecondFactor', { signal }) });

export const tokensQuery = () =>
  queryOptions({ queryKey: queryKey.tokens, queryFn: ({ signal }) => call('listTokens', { signal }) });

export const allTokensQuery = () =>
  queryOptions({ queryKey: queryKey.allTokens, queryFn: ({ signal }) => call('listAllTokens', { signal }) });

export const schedulesQuery = (project_id: number, template_id: number) =>
  queryOptions({
    queryKey: queryKey.schedules(project_id, template_id),
    queryFn: ({ signal }) => call('listTemplateSchedules', { params: { project_id, template_id }, signal }),
  });

/** The schedules of a project. Their problems have the texts of events. */
export const projectSchedulesQuery = (project_id: number) =>
  queryOptions({
    queryKey: queryKey.projectSchedules(project_id),
    queryFn: async ({ signal }) => {
      const schedules = await call('listSchedules', { params: { project_id }, signal });
      if (schedules.some(({ problem }) => problem !== null)) await eventTexts.load();
      return schedules;
    },
  });

/** The schedules of all projects of the user. */
export const allSchedulesQuery = () =>
  queryOptions({
    queryKey: queryKey.allSchedules,
    queryFn: async ({ signal }) => {
      const schedules = await call('listAllSchedules', { signal });
      if (schedules.some(({ problem }) => problem !== null)) await eventTexts.load();
      return schedules;
    },
  });

export const webhooksQuery = (project_id: number) =>
  queryOptions({
    queryKey: queryKey.webhooks(project_id),
    queryFn: ({ signal }) => call('listWebhooks', { params: { project_id }, query: {}, signal }),
  });

/** Number of failures that the page shows. */
const FAILURES = 100;

/** The failures of a project that were seen last, of all or of those that contain a text. */
export const failuresQuery = (project_id: number, search = '') =>
  queryOptions({
    queryKey: [...queryKey.failures(project_id), 'list', search],
    queryFn: async ({ signal }) => {
      await failureCauses.load();
      const query = { limit: FAILURES, ...(search === '' ? {} : { search }) };
      return await call('listFailures', { params: { project_id }, query, signal });
    },
  });

/** Runners come and go without a message to members. */
const OVERVIEW_POLL_MS = 60_000;

/** What needs a person in a project. `since` counts the tasks since the last visit. */
export const overviewQuery = (project_id: number, since: string | undefined) =>
  queryOptions({
    queryKey: [...queryKey.overview(project_id), since],
    queryFn: async ({ signal }) => {
      await failureCauses.load();
      return await call('getOverview', { params: { project_id }, query: { since }, signal });
    },
    refetchInterval: OVERVIEW_POLL_MS,
  });

/** How the runs of the last days went. */
export const trendsQuery = (project_id: number) =>
  queryOptions({
    queryKey: queryKey.trends(project_id),
    queryFn: ({ signal }) => call('getTrends', { params: { project_id }, signal }),
  });

/** The received calls of a webhook. Their reasons have the texts of events. */
export const webhookCallsQuery = (project_id: number, webhook_id: number) =>
  queryOptions({
    queryKey: queryKey.webhookCalls(project_id, webhook_id),
    queryFn: async ({ signal }) => {
      const calls = await call('listWebhookCalls', { params: { project_id, webhook_id }, signal });
      if (calls.some(({ reason }) => reason !== null)) await eventTexts.load();
      return calls;
    },
  });

/** A received call with its headers and its body, which never change. */
export const webhookCallQuery = (project_id: number, webhook_id: number, call_id: number) =>
  queryOptions({
    queryKey: queryKey.webhookCall(project_id, webhook_id, call_id),
    queryFn: ({ signal }) => call('getWebhookCall', { params: { project_id, webhook_id, call_id }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The tasks that schedules started and will start between two moments. */
export const scheduleWeekQuery = (project_id: number, from: string, to: string) =>
  queryOptions({
    queryKey: queryKey.scheduleWeek(project_id, from, to),
    queryFn: ({ signal }) => call('getScheduleWeek', { params: { project_id }, query: { from, to }, signal }),
    placeholderData: keepPreviousData,
  });

/** The tasks of all projects of the user that wait or run. */
export const activeTasksQuery = () =>
  queryOptions({
    queryKey: queryKey.activeTasks,
    queryFn: ({ signal }) => call('listActiveTasks', { signal }),
    refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === 'waiting') ? WAITING_POLL_MS : false),
  });

/** The outcomes of the newest tasks of each schedule. */
export const scheduleOutcomesQuery = (project_id: number) =>
  queryOptions({
    queryKey: queryKey.scheduleOutcomes(project_id),
    queryFn: ({ signal }) => call('listScheduleOutcomes', { params: { project_id }, signal }),
  });

export const eventsQuery = (project_id: number) =>
  queryOptions({
    queryKey: queryKey.events(project_id),
    queryFn: async ({ signal }) => {
      const events = await call('listLastEvents', { params: { project_id }, signal });
      await eventTexts.load();
      return events;
    },
  });

export const alertReceiversQuery = (project_id: number) =>
  queryOptions({
    queryKey: queryKey.alertReceivers(project_id),
    queryFn: ({ signal }) => call('listAlertReceivers', { params: { project_id }, signal }),
    staleTime: RESOURCES_STALE,
  });

const DELIVERIES_CHUNK = 50;

/** The sent alerts, newest first, in chunks. Each chunk starts below the last id of the chunk before it. */
export const alertDeliveriesQuery = (project_id: number) =>
  infiniteQueryOptions({
    queryKey: queryKey.alertDeliveries(project_id),
    queryFn: ({ signal, pageParam }) =>
      call('listAlertDeliveries', {
        params: { project_id },
        query: { limit: DELIVERIES_CHUNK, before: pageParam },
        signal,
      }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (last) => (last.length < DELIVERIES_CHUNK ? undefined : last.at(-1)?.id),
  });
