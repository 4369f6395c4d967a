import type { QueryClient } from '@tanstack/react-query';
import { createRoute, createRouter, lazyRouteComponent, notFound, redirect } from '@tanstack/react-router';
import { environmentsQuery, eventsQuery, keysQuery, roleQuery, tasksQuery, userQuery } from '../api/queries.ts';
import { canSeeBilling } from '../ui/access/permissions.ts';
import { takeFragment } from '../ui/browser/kept-fragment.ts';
import { loadRunners, loadSystem, loadSystemRoles, loadTokens, loadUsers } from './admin-loaders.ts';
import { failures, host, overview, schedules, webhook, webhooks } from './automation-routes.ts';
import { openLastProject } from './last-project.ts';
import {
  loadActiveTasks,
  loadAllSchedules,
  loadInventory,
  loadPlaybooks,
  loadRepositories,
  loadTeam,
} from './list-loaders.ts';
import { apiDocs, login, root, secondFactor } from './open-routes.ts';
import { project, signed } from './parent-routes.ts';
import { repositoryParams, taskParams, templateParams, viewParams, viewTemplateParams } from './path-params.ts';
import { loadRunner, runnerParams } from './runner-route.ts';
import { readEditSearch, readHistorySearch, readHostsSearch, readListSearch, readTemplatesSearch } from './search.ts';
import { ErrorPanel, LoadingPanel } from './shell/panels.tsx';
import { loadTemplate, loadTemplates } from './template-loaders.ts';

const home = createRoute({
  getParentRoute: () => signed,
  path: '/',
  beforeLoad: ({ context: { client } }) => openLastProject(client),
});

const newProject = createRoute({
  getParentRoute: () => signed,
  path: '/project/new',
  component: lazyRouteComponent(() => import('./pages/new-project.tsx'), 'NewProjectRoute'),
});

const users = createRoute({
  getParentRoute: () => signed,
  path: '/users',
  validateSearch: readListSearch,
  loader: loadUsers,
  component: lazyRouteComponent(() => import('./pages/admin.tsx'), 'UsersRoute'),
});

/** The page of the link in a confirmation email. */
const confirmEmail = createRoute({
  getParentRoute: () => signed,
  path: '/confirm-email',
  beforeLoad: ({ location }) => {
    const token = location.hash === '' ? takeFragment('/confirm-email') : undefined;
    if (token !== undefined) throw redirect({ to: '/confirm-email', hash: token, replace: true });
  },
  component: lazyRouteComponent(() => import('./pages/confirm-email.tsx'), 'ConfirmEmailRoute'),
});

const runners = createRoute({
  getParentRoute: () => signed,
  path: '/runners',
  validateSearch: readListSearch,
  loader: loadRunners,
  component: lazyRouteComponent(() => import('./pages/admin.tsx'), 'RunnersRoute'),
});

const system = createRoute({
  getParentRoute: () => signed,
  path: '/system',
  loader: loadSystem,
  component: lazyRouteComponent(() => import('./pages/admin.tsx'), 'SystemRoute'),
});

const installationStorage = createRoute({
  getParentRoute: () => signed,
  path: '/storage',
  component: lazyRouteComponent(() => import('./pages/admin.tsx'), 'InstallationStorageRoute'),
});

const runner = createRoute({
  getParentRoute: () => signed,
  path: '/runners/$runnerId',
  params: runnerParams,
  loader: loadRunner,
  component: lazyRouteComponent(() => import('./pages/admin.tsx'), 'RunnerRoute'),
});

const systemRoles = createRoute({
  getParentRoute: () => signed,
  path: '/roles',
  validateSearch: readListSearch,
  loader: loadSystemRoles,
  component: lazyRouteComponent(() => import('./pages/admin.tsx'), 'SystemRolesRoute'),
});

const tokens = createRoute({
  getParentRoute: () => signed,
  path: '/tokens',
  validateSearch: readListSearch,
  loader: loadTokens,
  component: lazyRouteComponent(() => import('./pages/admin.tsx'), 'TokensRoute'),
});

const projectHome = createRoute({
  getParentRoute: () => project,
  path: '/',
  beforeLoad: ({ params, search }) => {
    // An invalid id does not redirect to the history: the page shows "project not found" at the requested URL.
    if (params.projectId === 0) return;
    throw redirect({ to: '/project/$projectId/history', params, search, replace: true });
  },
});

const history = createRoute({
  getParentRoute: () => project,
  path: 'history',
  validateSearch: readHistorySearch,
  loader: ({ context: { client }, params: { projectId } }) => void client.prefetchInfiniteQuery(tasksQuery(projectId)),
  component: lazyRouteComponent(() => import('./pages/history.tsx'), 'HistoryRoute'),
});

const activity = createRoute({
  getParentRoute: () => project,
  path: 'activity',
  validateSearch: readListSearch,
  loader: ({ context: { client }, params: { projectId } }) => void client.prefetchQuery(eventsQuery(projectId)),
  component: lazyRouteComponent(() => import('./pages/dashboard.tsx'), 'ActivityRoute'),
});

const settings = createRoute({
  getParentRoute: () => project,
  path: 'settings',
  component: lazyRouteComponent(() => import('./pages/dashboard.tsx'), 'SettingsRoute'),
});

const storageOfProject = createRoute({
  getParentRoute: () => project,
  path: 'storage',
  component: lazyRouteComponent(() => import('./pages/dashboard.tsx'), 'StorageRoute'),
});

const billing = createRoute({
  getParentRoute: () => project,
  path: 'billing',
  loader: async ({ context: { client }, params: { projectId } }) => {
    const [role, user] = await Promise.all([
      client.ensureQueryData(roleQuery(projectId)),
      client.ensureQueryData(userQuery()),
    ]);
    if (!canSeeBilling(user, role)) throw notFound();
  },
  notFoundComponent: lazyRouteComponent(() => import('./pages/not-found.tsx'), 'NotInProject'),
  component: lazyRouteComponent(() => import('./pages/dashboard.tsx'), 'BillingRoute'),
});

const hosts = createRoute({
  getParentRoute: () => project,
  path: 'hosts',
  validateSearch: readHostsSearch,
  component: lazyRouteComponent(() => import('./pages/hosts.tsx'), 'HostsRoute'),
});

const templates = createRoute({
  getParentRoute: () => project,
  path: 'templates',
  validateSearch: readTemplatesSearch,
  loader: ({ context: { client }, params: { projectId } }) => loadTemplates(client, projectId),
  component: lazyRouteComponent(() => import('./pages/templates.tsx'), 'TemplatesRoute'),
});

const view = createRoute({
  getParentRoute: () => project,
  path: 'views/$viewId/templates',
  validateSearch: readTemplatesSearch,
  params: viewParams,
  loader: ({ context: { client }, params: { projectId } }) => loadTemplates(client, projectId),
  component: lazyRouteComponent(() => import('./pages/templates.tsx'), 'TemplatesRoute'),
});

const template = createRoute({
  getParentRoute: () => project,
  path: 'templates/$templateId',
  validateSearch: readListSearch,
  params: templateParams,
  loader: ({ context: { client }, params }) => loadTemplate(client, params.projectId, params.templateId),
  component: lazyRouteComponent(() => import('./pages/template.tsx'), 'TemplateRoute'),
});

const viewTemplate = createRoute({
  getParentRoute: () => project,
  path: 'views/$viewId/templates/$templateId',
  validateSearch: readListSearch,
  params: viewTemplateParams,
  loader: ({ context: { client }, params }) => loadTemplate(client, params.projectId, params.templateId),
  component: lazyRouteComponent(() => import('./pages/template.tsx'), 'TemplateRoute'),
});

const newTemplate = createRoute({
  getParentRoute: () => project,
  path: 'templates/new',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/project/$projectId/templates/new/edit', params, search: {}, replace: true });
  },
});

const newViewTemplate = createRoute({
  getParentRoute: () => project,
  path: 'views/$viewId/templates/new',
  params: viewParams,
  beforeLoad: ({ params: { projectId } }) => {
    throw redirect({ to: '/project/$projectId/templates/new/edit', params: { projectId }, search: {}, replace: true });
  },
});

const newTemplateEdit = createRoute({
  getParentRoute: () => project,
  path: 'templates/new/edit',
  validateSearch: readEditSearch,
  loader: ({ context: { client }, params: { projectId } }) => loadTemplates(client, projectId),
  component: lazyRouteComponent(() => import('./pages/template-edit.tsx'), 'NewTemplateRoute'),
});

const templateEdit = createRoute({
  getParentRoute: () => project,
  path: 'templates/$templateId/edit',
  params: templateParams,
  loader: ({ context: { client }, params }) => loadTemplate(client, params.projectId, params.templateId),
  component: lazyRouteComponent(() => import('./pages/template-edit.tsx'), 'EditTemplateRoute'),
});

const templateAccess = createRoute({
  getParentRoute: () => project,
  path: 'templates/$templateId/access',
  params: templateParams,
  loader: ({ context: { client }, params }) => loadTemplate(client, params.projectId, params.templateId),
  component: lazyRouteComponent(() => import('./pages/template-access.tsx'), 'TemplateAccessRoute'),
});

const viewTemplateEdit = createRoute({
  getParentRoute: () => project,
  path: 'views/$viewId/templates/$templateId/edit',
  params: viewTemplateParams,
  loader: ({ context: { client }, params }) => loadTemplate(client, params.projectId, params.templateId),
  component: lazyRouteComponent(() => import('./pages/template-edit.tsx'), 'EditTemplateRoute'),
});

const task = createRoute({
  getParentRoute: () => project,
  path: 'tasks/$taskId',
  params: taskParams,
  component: lazyRouteComponent(() => import('./pages/task.tsx'), 'TaskRoute'),
});

const allSchedules = createRoute({
  getParentRoute: () => signed,
  path: '/schedules',
  validateSearch: readListSearch,
  loader: loadAllSchedules,
  component: lazyRouteComponent(() => import('./pages/schedules.tsx'), 'AllSchedulesRoute'),
});

const activeTasks = createRoute({
  getParentRoute: () => signed,
  path: '/tasks',
  validateSearch: readListSearch,
  loader: loadActiveTasks,
  component: lazyRouteComponent(() => import('./pages/active-tasks.tsx'), 'ActiveTasksRoute'),
});

const resources = { getParentRoute: () => project, validateSearch: readListSearch };

const inventory = createRoute({
  ...resources,
  path: 'inventory',
  loader: loadInventory,
  component: lazyRouteComponent(() => import('./pages/resources.tsx'), 'InventoryRoute'),
});

const environment = createRoute({
  ...resources,
  path: 'environment',
  loader: ({ context: { client }, params: { projectId } }) => void client.prefetchQuery(environmentsQuery(projectId)),
  component: lazyRouteComponent(() => import('./pages/resources.tsx'), 'EnvironmentRoute'),
});

const keys = createRoute({
  ...resources,
  path: 'keys',
  loader: ({ context: { client }, params: { projectId } }) => void client.prefetchQuery(keysQuery(projectId)),
  component: lazyRouteComponent(() => import('./pages/resources.tsx'), 'KeysRoute'),
});

const repositories = createRoute({
  ...resources,
  path: 'repositories',
  loader: loadRepositories,
  component: lazyRouteComponent(() => import('./pages/resources.tsx'), 'RepositoriesRoute'),
});

const playbooks = createRoute({
  getParentRoute: () => project,
  path: 'repositories/$repositoryId/playbooks',
  params: repositoryParams,
  loader: loadPlaybooks,
  component: lazyRouteComponent(() => import('./pages/playbooks.tsx'), 'PlaybooksRoute'),
});

const team = createRoute({
  ...resources,
  path: 'team',
  loader: loadTeam,
  component: lazyRouteComponent(() => import('./pages/team.tsx'), 'TeamRoute'),
});

const roles = createRoute({
  ...resources,
  path: 'roles',
  loader: loadTeam,
  component: lazyRouteComponent(() => import('./pages/team.tsx'), 'RolesRoute'),
});

const routeTree = root.addChildren([
  login,
  secondFactor,
  apiDocs,
  signed.addChildren([
    home,
    newProject,
    users,
    system,
    installationStorage,
    runners,
    runner,
    tokens,
    systemRoles,
    confirmEmail,
    allSchedules,
    activeTasks,
    project.addChildren([
      projectHome,
      overview,
      history,
      hosts,
      host,
      activity,
      settings,
      storageOfProject,
      billing,
      templates,
      view,
      template,
      viewTemplate,
      viewTemplateEdit,
      newTemplate,
      newViewTemplate,
      newTemplateEdit,
      templateEdit,
      templateAccess,
      task,
      schedules,
      failures,
      webhooks,
      webhook,
      inventory,
      environment,
      keys,
      repositories,
      playbooks,
      team,
      roles,
    ]),
  ]),
]);

export const createAppRouter = (client: QueryClient) =>
  createRouter({
    routeTree,
    // The path of the URL below which the product is served.
    basepath: new URL(document.baseURI).pathname,
    context: { client },
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    defaultPendingComponent: LoadingPanel,
    defaultPendingMs: 300,
    defaultErrorComponent: ErrorPanel,
    scrollRestoration: true,
  });

export type AppRouter = ReturnType<typeof createAppRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter;
  }
}
