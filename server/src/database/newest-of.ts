import { MAX_ID } from '@signalbox/contract';
import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from './database.ts';

/**
 * Takes the rows of a table that have these values, newest first, by the index on these columns and the id.
 * @param values of the columns in the order of their index; no other index may begin with the first of them and go on
 * with the id, or with columns that the query fixes, unless it is the one that is meant
 * @param before only rows older than the one with this id
 */
export const newestOf = <DB, TB extends keyof DB, O>(
  { capabilities }: Database,
  query: SelectQueryBuilder<DB, TB, O>,
  table: TB & string,
  values: Readonly<Record<string, string | number>>,
  before?: number,
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
  return others
    .reduce((found, [name, wanted]) => found.where(sql<SqlBool>`${name} = ${wanted}`), query.where(same))
    .where(sql<SqlBool>`${id} <= ${before === undefined ? MAX_ID : before - 1}`)
    .orderBy(column, 'desc')
    .orderBy(id, 'desc');
};
