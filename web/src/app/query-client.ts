import { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/api-error.ts';

const passes = (error: unknown): boolean => error instanceof ApiError && (error.status === 0 || error.status === 503);

/** Creates the query cache. Live updates keep the data current, so queries are repeated only after a while. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        gcTime: 600_000,
        // Retries only failures that may be temporary, never a refusal.
        retry: (count, error) => count < 2 && passes(error),
      },
    },
  });
