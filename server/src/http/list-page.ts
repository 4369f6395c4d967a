import type { Call } from './call.ts';

interface Paged {
  readonly query: { readonly limit?: number | undefined; readonly count?: number | undefined };
  readonly sayHasNext: Call<never>['sayHasNext'];
}

/**
 * The rows of a list up to its limit; the answer's `X-Has-Next` header says whether there are more.
 * @param most how many are answered when the query sets no limit
 * @param find finds the first rows, at most so many as it is given
 */
export const listPage = async <T>(
  { query, sayHasNext }: Paged,
  most: number,
  find: (limit: number) => Promise<T[]>,
): Promise<T[]> => {
  const limit = query.limit ?? query.count ?? most;
  const rows = await find(limit + 1);
  sayHasNext(rows.length > limit);
  return rows.slice(0, limit);
};
