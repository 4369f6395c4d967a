import type { QueryClient } from '@tanstack/react-query';
import { queryKey } from '../api/keys.ts';
import { onSessionEnd } from '../api/session.ts';
import { keepFragment } from '../ui/browser/kept-fragment.ts';
import type { AppRouter } from './router.tsx';

let isExpired = false;
const listeners = new Set<() => void>();

/** Whether the session has ended under a page that is open. */
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

/** Where a second factor is set up before anything else. */
const SETUP = '/auth/second-factor';

/** The page to come back to; the one of the setup is none. */
const wayBack = ({ state: { location } }: AppRouter): { next?: string } => {
  const { next } = location.search as { next?: string };
  const page = location.pathname === SETUP ? (next ?? '/') : keepFragment(location.href);
  return page === '/' ? {} : { next: page };
};

/**
 * What happens at the end of a session: who leaves comes to the sign-in page, and what was loaded is forgotten. Where the
 * server ended it, an open page stays as it is, with what was typed, until the person has signed in again.
 */
export const watchSession = (router: AppRouter, client: QueryClient): (() => void) =>
  onSessionEnd((end) => {
    if (router.state.location.pathname === '/auth/login') return;
    if (end === 'expired' && client.getQueryData(queryKey.user) !== undefined) {
      setSessionExpired(true);
      return;
    }
    // After a sign-out the sign-in page does not lead back to this page: the next user may be another one.
    const search = end === 'left' && !isExpired ? {} : wayBack(router);
    setSessionExpired(false);
    if (end === 'due') {
      if (router.state.location.pathname === SETUP) return;
      // What was known of both holds no more.
      for (const key of [queryKey.user, queryKey.secondFactor]) client.removeQueries({ queryKey: key });
      void router.navigate({ to: SETUP, search, replace: true });
      return;
    }
    void router.navigate({ to: '/auth/login', search, replace: true }).then(() => client.clear());
  });
