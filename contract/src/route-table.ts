import type { RouteShape } from './route.ts';
import * as activeTasks from './routes/active-tasks.routes.ts';
import * as alerts from './routes/alerts.routes.ts';
import * as comparison from './routes/comparison.routes.ts';
import * as environment from './routes/environment.routes.ts';
import * as events from './routes/events.routes.ts';
import * as failures from './routes/failures.routes.ts';
import * as freezeWindows from './routes/freeze-windows.routes.ts';
import * as grants from './routes/grants.routes.ts';
import * as hosts from './routes/hosts.routes.ts';
import * as inventory from './routes/inventory.routes.ts';
import * as keys from './routes/keys.routes.ts';
import * as labels from './routes/labels.routes.ts';
import * as operations from './routes/operations.routes.ts';
import * as overview from './routes/overview.routes.ts';
import * as projects from './routes/projects.routes.ts';
import * as publicLinks from './routes/public-links.routes.ts';
import * as repositories from './routes/repositories.routes.ts';

import * as results from './routes/results.routes.ts';
import * as roles from './routes/roles.routes.ts';

import * as runnerRegistrations from './routes/runner-registrations.routes.ts';
import * as runners from './routes/runners.routes.ts';

import * as savedFilters from './routes/saved-filters.routes.ts';
import * as savedLaunches from './routes/saved-launches.routes.ts';
import * as schedules from './routes/schedules.routes.ts';
import * as searchRoutes from './routes/search.routes.ts';
import * as secondFactor from './routes/second-factor.routes.ts';
import * as selected from './routes/selected.routes.ts';
import * as signIn from './routes/sign-in.routes.ts';
import * as storage from './routes/storage.routes.ts';
import * as system from './routes/system.routes.ts';
import * as tasks from './routes/tasks.routes.ts';
import * as team from './routes/team.routes.ts';
import * as templates from './routes/templates.routes.ts';
import * as users from './routes/users.routes.ts';
import * as views from './routes/views.routes.ts';
import * as webhooks from './routes/webhooks.routes.ts';

/** Every call of the API by its name. */
export const ROUTE_TABLE = {
  ...signIn,
  ...secondFactor,
  ...operations,
  ...system,
  ...users,
  ...projects,
  ...team,
  ...roles,
  ...grants,
  ...events,
  ...views,
  ...labels,
  ...failures,
  ...overview,
  ...publicLinks,
  ...storage,
  ...freezeWindows,
  ...keys,
  ...repositories,
  ...inventory,
  ...environment,
  ...templates,
  ...savedFilters,
  ...savedLaunches,
  ...schedules,
  ...selected,
  ...webhooks,
  ...runnerRegistrations,
  ...runners,
  ...activeTasks,
  ...tasks,
  ...results,
  ...comparison,
  ...hosts,
  ...searchRoutes,
  ...alerts,
} as const satisfies Record<string, RouteShape>;

export type RouteTable = typeof ROUTE_TABLE;
export type RouteName = keyof RouteTable;
