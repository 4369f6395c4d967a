import { MAX_ID } from '@signalbox/contract';
import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../database.ts';

/**
 * Selects rows with the given values, newest first, using the index on these columns and the id.
 * @param values in the order of the columns of the index; no other index may begin with the first column and continue
 *   with the id or with columns that the query fixes
 * @param before only rows older than this id
 * @param oldest only the row with this id and newer ones
 */
export const newestOf = <DB, TB extends keyof DB, O>(
  { capabilities }: Database,
  query: SelectQueryBuilder<DB, TB, O>,
  table: TB & string,
  values: Readonly<Record<string, string | number>>,
  before?: number,
  oldest?: number,
): SelectQueryBuilder<DB, TB, O> => {
  const id = sql.ref(`${table}.id`);
  const [first, ...others] = Object.entries(values).map(
    ([name, value]) => [sql.ref(`${table}.${name}`), value] as const,
  );
  if (!first) throw new Error('A list needs the values of its index.');
  const [column, value] = first;
  const same = capabilities.walksForRare
    ? sql<SqlBool>`${column} = any(array[${sql.lit(value)}])`
    : sql<SqlBool>`${column} = ${value}`;
  // Between two ids, SQLite expects so few rows that it prefers an index on the other columns alone. A column that is
  // likely to have its value makes no index better.
  const isHinted = oldest !== undefined && !capabilities.walksForRare;
  return others
    .map(([name, wanted]) => (isHinted ? sql<SqlBool>`likely(${name} = ${wanted})` : sql<SqlBool>`${name} = ${wanted}`))
    .reduce((found, condition) => found.where(condition), query.where(same))
    .where(sql<SqlBool>`${id} <= ${before === undefined ? MAX_ID : before - 1}`)
    .$if(oldest !== undefined, (found) => found.where(sql<SqlBool>`${id} >= ${oldest ?? 0}`))
    .orderBy(column, 'desc')
    .orderBy(id, 'desc');
};
