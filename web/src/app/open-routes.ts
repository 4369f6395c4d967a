import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router';
import { isSignedIn } from '../api/session.ts';
import { readNextSearch } from './search.ts';
import { ErrorPanel } from './shell/panels.tsx';

// The routes that need no session.

export const root = createRootRouteWithContext<{ client: QueryClient }>()({
  component: Outlet,
  errorComponent: ErrorPanel,
  notFoundComponent: lazyRouteComponent(() => import('./pages/not-found.tsx'), 'NotFound'),
});

export const login = createRoute({
  getParentRoute: () => root,
  path: '/auth/login',
  validateSearch: readNextSearch,
  beforeLoad: () => {
    if (isSignedIn()) throw redirect({ to: '/' });
  },
  component: lazyRouteComponent(() => import('./pages/login.tsx'), 'LoginRoute'),
});

/** The page that a server with required second factors shows before any other. */
export const secondFactor = createRoute({
  getParentRoute: () => root,
  path: '/auth/second-factor',
  validateSearch: readNextSearch,
  beforeLoad: () => {
    if (!isSignedIn()) throw redirect({ to: '/auth/login' });
  },
  component: lazyRouteComponent(() => import('./pages/second-factor.tsx'), 'SecondFactorRoute'),
});

/** Available without a session: developers of clients read it first. */
export const apiDocs = createRoute({
  getParentRoute: () => root,
  path: '/api/docs',
  component: lazyRouteComponent(() => import('./pages/api-docs.tsx'), 'ApiDocsRoute'),
});
