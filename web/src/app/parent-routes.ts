import { createRoute, lazyRouteComponent, notFound, redirect } from '@tanstack/react-router';
import { isMissing } from '../api/api-error.ts';
import { queryKey } from '../api/keys.ts';
import { projectsQuery, roleQuery, userQuery } from '../api/queries.ts';
import { endSession, isSignedIn } from '../api/session.ts';
import { keepFragment } from '../ui/browser/kept-fragment.ts';
import { root } from './open-routes.ts';
import { projectParams } from './path-params.ts';
import { readProjectSearch } from './search.ts';

/** The parent of all pages of signed-in users. */
export const signed = createRoute({
  getParentRoute: () => root,
  id: 'signed',
  beforeLoad: ({ context: { client }, location }) => {
    if (isSignedIn()) return;
    // On a page that needs no session, an ended session is renewed in place, so that typed text is not lost.
    if (client.getQueryData(queryKey.user) !== undefined) return endSession('expired');
    throw redirect({ to: '/auth/login', search: location.href === '/' ? {} : { next: keepFragment(location.href) } });
  },
  loader: ({ context: { client } }) =>
    Promise.all([client.ensureQueryData(userQuery()), client.ensureQueryData(projectsQuery())]),
  component: lazyRouteComponent(() => import('./shell/signed.tsx'), 'Signed'),
});

/** The parent of the pages of a project. */
export const project = createRoute({
  getParentRoute: () => signed,
  path: '/project/$projectId',
  params: projectParams,
  validateSearch: readProjectSearch,
  loader: async ({ context: { client }, params: { projectId } }) => {
    try {
      return await client.ensureQueryData(roleQuery(projectId));
    } catch (error) {
      if (isMissing(error)) throw notFound({ data: 'project' });
      throw error;
    }
  },
  notFoundComponent: lazyRouteComponent(() => import('./pages/not-found.tsx'), 'NotInProject'),
  component: lazyRouteComponent(() => import('./shell/project-shell.tsx'), 'ProjectShell'),
});
