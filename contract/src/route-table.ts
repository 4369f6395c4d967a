import type { RouteShape } from './route.ts';
import * as projects from './routes/projects.routes.ts';
import * as resources from './routes/resources.routes.ts';
import * as schedules from './routes/schedules.routes.ts';
import * as signIn from './routes/sign-in.routes.ts';
import * as tasks from './routes/tasks.routes.ts';
import * as templates from './routes/templates.routes.ts';

/** Every call of the API by its name. What is not here does not exist. */
export const ROUTE_TABLE = {
  ...signIn,
  ...projects,
  ...resources,
  ...templates,
  ...schedules,
  ...tasks,
} as const satisfies Record<string, RouteShape>;

export type RouteTable = typeof ROUTE_TABLE;
export type RouteName = keyof RouteTable;
