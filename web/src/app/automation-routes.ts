import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { loadFailures, loadHost, loadOverview, loadSchedules, loadWebhooks } from './list-loaders.ts';
import { project } from './parent-routes.ts';
import { hostParams, webhookParams } from './path-params.ts';
import { readHostSearch, readListSearch, readSchedulesSearch, readWebhooksSearch } from './search.ts';

// The pages of what starts tasks, and of how they fail.

export const schedules = createRoute({
  getParentRoute: () => project,
  path: 'schedules',
  validateSearch: readSchedulesSearch,
  loader: loadSchedules,
  component: lazyRouteComponent(() => import('./pages/schedules.tsx'), 'SchedulesRoute'),
});

export const overview = createRoute({
  getParentRoute: () => project,
  path: 'overview',
  loader: loadOverview,
  component: lazyRouteComponent(() => import('./pages/overview.tsx'), 'OverviewRoute'),
});

export const failures = createRoute({
  getParentRoute: () => project,
  path: 'failures',
  validateSearch: readListSearch,
  loader: loadFailures,
  component: lazyRouteComponent(() => import('./pages/failures.tsx'), 'FailuresRoute'),
});

const webhookPages = { getParentRoute: () => project, validateSearch: readWebhooksSearch, loader: loadWebhooks };

export const webhooks = createRoute({
  ...webhookPages,
  path: 'webhooks',
  component: lazyRouteComponent(() => import('./pages/webhooks.tsx'), 'WebhooksRoute'),
});

export const webhook = createRoute({
  ...webhookPages,
  path: 'webhooks/$webhookId',
  params: webhookParams,
  component: lazyRouteComponent(() => import('./pages/webhooks.tsx'), 'WebhookRoute'),
});

export const host = createRoute({
  getParentRoute: () => project,
  path: 'hosts/$hostId',
  params: hostParams,
  validateSearch: readHostSearch,
  loader: loadHost,
  component: lazyRouteComponent(() => import('./pages/host.tsx'), 'HostRoute'),
});
