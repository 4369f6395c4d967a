import type { QueryClient } from '@tanstack/react-query';

/**
 * Refetches all data that was loaded or requested before the live connection was open: changes until then were not
 * reported. A first request in progress is completed, and then repeated.
 */
export const lookAgain = (client: QueryClient): void => {
  const onTheirWay = client
    .getQueryCache()
    .findAll({ fetchStatus: 'fetching', predicate: ({ state }) => state.data === undefined });
  for (const { promise, queryKey } of onTheirWay) {
    const again = () => client.invalidateQueries({ queryKey, exact: true });
    promise?.then(again, () => undefined);
  }
  void client.invalidateQueries({ predicate: ({ state }) => state.data !== undefined || state.status === 'error' });
};
