import type { EndReasonCode, TaskStatus } from '@signalbox/contract';

/** Filters of a task list that the server applies. */
export interface TaskFilter {
  readonly status?: TaskStatus | undefined;
  readonly end_reason?: EndReasonCode | undefined;
  readonly template_id?: number | undefined;
  readonly user_id?: number | undefined;
  /** Tasks created at this moment or later, and before the other one. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export type ResourceKind = 'inventory' | 'environment' | 'repositories' | 'keys';

/**
 * Keys of the query cache. Everything of a project is below `['project', id]`, so that one invalidation refreshes all
 * of it.
 */
export const queryKey = {
  user: ['user'] as const,
  system: ['system'] as const,
  signInOptions: ['sign-in options'] as const,
  errorTexts: ['error texts'] as const,
  projects: ['projects'] as const,
  project: (project: number) => ['project', project] as const,
  role: (project: number) => ['project', project, 'role'] as const,
  views: (project: number) => ['project', project, 'views'] as const,
  labels: (project: number) => ['project', project, 'labels'] as const,
  freezeWindows: (project: number) => ['project', project, 'freeze windows'] as const,
  templates: (project: number) => ['project', project, 'templates'] as const,
  anyTemplate: (project: number) => ['project', project, 'template'] as const,
  template: (project: number, template: number) => ['project', project, 'template', template] as const,
  /** Below the template, so that a change of the template reads them again. */
  choices: (project: number, template: number, variable: string) =>
    ['project', project, 'template', template, 'choices', variable] as const,
  /** Below the template, so that a change of the template reads them again. */
  savedLaunchCounts: (project: number) => ['project', project, 'saved launch counts'] as const,
  savedLaunches: (project: number, template: number) => ['project', project, 'template', template, 'launches'] as const,
  savedFilters: (project: number) => ['project', project, 'saved filters'] as const,
  webhooks: (project: number) => ['project', project, 'webhooks'] as const,
  /** Below the webhooks, so that a new call is shown too. */
  webhookCalls: (project: number, webhook: number) => ['project', project, 'webhooks', webhook, 'calls'] as const,
  webhookCall: (project: number, webhook: number, id: number) =>
    ['project', project, 'webhook-call', webhook, id] as const,
  webhookTest: (project: number, test: string) => ['project', project, 'webhook-test', test] as const,
  anySchedules: (project: number) => ['project', project, 'schedules'] as const,
  allSchedules: ['schedules'] as const,
  activeTasks: ['active-tasks'] as const,
  projectSchedules: (project: number) => ['project', project, 'schedules', 'all'] as const,
  anyScheduleWeek: (project: number) => ['project', project, 'schedules', 'week'] as const,
  scheduleWeek: (project: number, from: string, to: string) =>
    ['project', project, 'schedules', 'week', from, to] as const,
  scheduleOutcomes: (project: number) => ['project', project, 'schedules', 'outcomes'] as const,
  schedules: (project: number, template: number) => ['project', project, 'schedules', template] as const,
  /** Every task list of a project, with any filter. */
  taskLists: (project: number) => ['project', project, 'tasks'] as const,
  tasks: (project: number, filter: TaskFilter = {}) => ['project', project, 'tasks', 'list', filter] as const,
  templateTasks: (project: number, template: number, limit: number) =>
    ['project', project, 'tasks', 'template', template, limit] as const,
  hosts: (project: number) => ['project', project, 'hosts'] as const,
  failures: (project: number) => ['project', project, 'failures'] as const,
  feedLink: (project: number) => ['project', project, 'feed link'] as const,
  /** Below the template, so that a change of the template reads it again. */
  badgeLink: (project: number, template: number) => ['project', project, 'template', template, 'badge'] as const,
  overview: (project: number) => ['project', project, 'overview'] as const,
  trends: (project: number) => ['project', project, 'trends'] as const,
  /** The outcomes of the newest tasks of each template. */
  outcomes: (project: number) => ['project', project, 'outcomes'] as const,
  /** Below it, those of each number of days. */
  statistics: (project: number) => ['project', project, 'statistics'] as const,
  builds: (project: number, template: number) => ['project', project, 'builds', template] as const,
  task: (project: number, task: number) => ['project', project, 'task', task] as const,
  resources: (project: number, kind: ResourceKind) => ['project', project, 'resources', kind] as const,
  /** Below the repositories, so that a changed repository is read again. */
  repository: (project: number, repository: number) =>
    ['project', project, 'resources', 'repositories', repository] as const,
  team: (project: number) => ['project', project, 'team'] as const,
  /** Grants, and below it what each member may do. */
  grants: (project: number) => ['project', project, 'grants'] as const,
  grantList: (project: number) => ['project', project, 'grants', 'list'] as const,
  templateAccess: (project: number, template: number) => ['project', project, 'grants', 'of', template] as const,
  memberAccess: (project: number, user: number) => ['project', project, 'grants', 'member', user] as const,
  roles: (project: number) => ['project', project, 'roles'] as const,
  events: (project: number) => ['project', project, 'events'] as const,
  alertReceivers: (project: number) => ['project', project, 'alerts', 'receivers'] as const,
  alertDeliveries: (project: number) => ['project', project, 'alerts', 'deliveries'] as const,
  users: ['users'] as const,
  /** The tokens of the signed-in user, and below it those of all users. */
  tokens: ['tokens'] as const,
  allTokens: ['tokens', 'all'] as const,
  systemRoles: ['roles'] as const,
  secondFactor: ['second-factor'] as const,
  info: ['info'] as const,
  /** All runners, and below it single ones. */
  runners: ['runners'] as const,
  runner: (id: number) => ['runners', id] as const,
  runnerRegistrations: ['runners', 'registrations'] as const,
};

/** Keys of mutations whose progress other parts of the page watch. */
export const mutationKey = {
  deleteProject: (project: number) => ['deleteProject', project] as const,
};
