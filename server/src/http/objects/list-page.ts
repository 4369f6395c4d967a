import type { Call } from '../calls/call.ts';

interface Paged {
  readonly query: { readonly limit?: number | undefined; readonly count?: number | undefined };
  readonly setHasNext: Call<never>['setHasNext'];
}

/**
 * Answers the first rows of a list and sets the header `X-Has-Next` when there are more.
 * @param most maximum number of rows when the query sets no limit
 * @param find returns the first rows, up to the number in its argument
 */
export const listPage = async <T>(
  { query, setHasNext }: Paged,
  most: number,
  find: (limit: number) => Promise<T[]>,
): Promise<T[]> => {
  const limit = query.limit ?? query.count ?? most;
  const rows = await find(limit + 1);
  setHasNext(rows.length > limit);
  return rows.slice(0, limit);
};
