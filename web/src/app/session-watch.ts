import type { QueryClient } from '@tanstack/react-query';
import { queryKey } from '../api/keys.ts';
import { onSessionEnd } from '../api/session.ts';
import { keepFragment } from '../ui/browser/kept-fragment.ts';
import type { AppRouter } from './router.tsx';

let isExpired = false;
const listeners = new Set<() => void>();

/** Whether the session has ended while a page is open. */
export const sessionExpired = (): boolean => isExpired;

export const onSessionExpired = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const setSessionExpired = (is: boolean): void => {
  if (is === isExpired) return;
  isExpired = is;
  for (const listener of [...listeners]) listener();
};

/** The page where a required second factor is set up. */
const SETUP = '/auth/second-factor';

/** The page to return to; undefined on the setup page itself. */
const wayBack = ({ state: { location } }: AppRouter): { next?: string } => {
  const { next } = location.search as { next?: string };
  const page = location.pathname === SETUP ? (next ?? '/') : keepFragment(location.href);
  return page === '/' ? {} : { next: page };
};

/**
 * Handles the end of a session. After a sign-out the user gets the sign-in page and loaded data is discarded. If the
 * server ended the session, the open page and typed text stay until the user has signed in again.
 */
export const watchSession = (router: AppRouter, client: QueryClient): (() => void) =>
  onSessionEnd((end) => {
    if (router.state.location.pathname === '/auth/login') return;
    if (end === 'expired' && client.getQueryData(queryKey.user) !== undefined) {
      setSessionExpired(true);
      return;
    }
    // After a sign-out the sign-in page does not lead back to this page: the next user may be a different one.
    const search = end === 'left' && !isExpired ? {} : wayBack(router);
    setSessionExpired(false);
    if (end === 'due') {
      if (router.state.location.pathname === SETUP) return;
      // The cached user and their projects are no longer valid.
      for (const key of [queryKey.user, queryKey.secondFactor]) client.removeQueries({ queryKey: key });
      void router.navigate({ to: SETUP, search, replace: true });
      return;
    }
    void router.navigate({ to: '/auth/login', search, replace: true }).then(() => client.clear());
  });
