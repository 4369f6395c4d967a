import type { QueryClient } from '@tanstack/react-query';
import { onSessionEnd } from '../api/session.ts';
import type { AppRouter } from './router.tsx';

/** Leads to the sign-in page when the session is over, and forgets what was loaded for it. */
export const watchSession = (router: AppRouter, client: QueryClient): (() => void) =>
  onSessionEnd(() => {
    if (router.state.location.pathname === '/auth/login') return;
    const next = router.state.location.href;
    void router
      .navigate({ to: '/auth/login', search: next === '/' ? {} : { next }, replace: true })
      .then(() => client.clear());
  });
