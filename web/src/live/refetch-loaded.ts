import type { QueryClient } from '@tanstack/react-query';

/**
 * Asks again for what was loaded, or asked for, before the live connection stood: of what changed until then nobody
 * told. An answer that is still on its way for the first time is taken as it comes, and then asked for again.
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
