import { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/api-error.ts';

const passes = (error: unknown): boolean => error instanceof ApiError && (error.status === 0 || error.status === 503);

/** Keeps what was loaded. Live updates keep it true, so that it is asked for again only after a while. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        gcTime: 600_000,
        // Only what may be better in a moment is tried again; a refusal stays one.
        retry: (count, error) => count < 2 && passes(error),
      },
    },
  });
