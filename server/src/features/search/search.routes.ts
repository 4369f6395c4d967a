import type { Database } from '../../database/database.ts';
import type { Handlers } from '../../http/calls/call.ts';
import { callersProjects } from '../../http/calls/callers-projects.ts';
import { findNamed, type SearchScope } from './named-objects.ts';
import { findTasks } from './search-tasks.ts';

const termsOf = (typed: string): string[] => typed.split(/\s+/u).filter(Boolean);

/** The search for objects of all projects of the caller. */
export const searchRoutes = (database: Database): Pick<Handlers, 'search'> => ({
  search: async ({ query, caller }) => {
    const terms = termsOf(query.q);
    const projects = await callersProjects(database.read, caller);
    if (terms.length === 0 || projects?.size === 0) return [];
    const scope: SearchScope = {
      terms,
      projects: projects && [...projects.keys()],
      first: query.project_id ?? 0,
      hidden: [...(projects?.values() ?? [])].flatMap(({ hidden }) => [...hidden]),
    };
    const [templates, ...others] = await findNamed(database, scope);
    const tasks = await findTasks(database, scope, templates ?? []);
    return [...(templates ?? []), ...tasks, ...others.flat()];
  },
});
