import type { QueryClient } from '@tanstack/react-query';
import { refetch } from './refetch.ts';

/** Refetches all data that was loaded or requested before the live connection was open, when no change was reported. */
export const refetchLoaded = (client: QueryClient): void =>
  void refetch(client, {
    predicate: ({ state }) => state.data !== undefined || state.status === 'error' || state.fetchStatus === 'fetching',
  });
