import type { Sorting } from '@signalbox/contract';

type Value = string | number | boolean | null | undefined;

/** The same order on every database: natural order of numbers, case-insensitive. */
const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

const compare = (a: Value, b: Value): number => {
  // Missing values come last.
  if (a === null || a === undefined || a === '') return b === null || b === undefined || b === '' ? 0 : 1;
  if (b === null || b === undefined || b === '') return -1;
  if (typeof a === 'string' && typeof b === 'string') return collator.compare(a, b);
  return Number(a) - Number(b);
};

/**
 * Sorts the rows of a list as the query asks.
 * @param byDefault the default column; undefined keeps the order of the rows
 * @param valueIn the value of a column that is not a field of the row
 */
export const sorted = <R extends { readonly id: number }>(
  rows: readonly R[],
  query: Sorting,
  byDefault: string | undefined,
  valueIn: (row: R, column: string) => Value = (row, column) => (row as Record<string, unknown>)[column] as Value,
): R[] => {
  const column = query.sort ?? byDefault;
  const direction = query.order === 'desc' ? -1 : 1;
  if (column === undefined) return query.order === 'asc' ? rows.toReversed() : [...rows];
  return rows.toSorted((a, b) => direction * (compare(valueIn(a, column), valueIn(b, column)) || a.id - b.id));
};
