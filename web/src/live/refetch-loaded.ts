import type { QueryClient } from '@tanstack/react-query';

/**
 * Refetches all data that was loaded or requested before the live connection was open: changes until then were not
 * reported. A first request in progress is completed, and then repeated.
 */
export const refetchLoaded = (client: QueryClient): void => {
  const inProgress = client
    .getQueryCache()
    .findAll({ fetchStatus: 'fetching', predicate: ({ state }) => state.data === undefined });
  for (const { promise, queryKey } of inProgress) {
    const again = () => client.invalidateQueries({ queryKey, exact: true });
    promise?.then(again, () => undefined);
  }
  void client.invalidateQueries({ predicate: ({ state }) => state.data !== undefined || state.status === 'error' });
};
