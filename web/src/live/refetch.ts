import type { Query, QueryClient, QueryFilters } from '@tanstack/react-query';

/** Queries whose first request is in progress, and will be repeated. */
const toRepeat = new WeakSet<Query>();

/**
 * Refetches the data that matches. A first request in progress may have read its data before the change: it is
 * completed, and then repeated.
 */
export const refetch = async (client: QueryClient, filters: QueryFilters): Promise<void> => {
  for (const query of client.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' })) {
    if (query.state.data !== undefined || toRepeat.has(query)) continue;
    toRepeat.add(query);
    const ended = () => toRepeat.delete(query);
    query.promise?.then(() => {
      ended();
      void client.invalidateQueries({ queryKey: query.queryKey, exact: true });
    }, ended);
  }
  await client.invalidateQueries(filters);
};
