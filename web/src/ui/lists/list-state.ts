import { compareNames, locale } from '../../lang/locale.ts';

/** State of a list. It is part of the URL, so that links to it can be shared. */
export interface ListState {
  /** Search terms that the rows must contain. */
  q?: string | undefined;
  /** Column to sort by; a leading minus reverses the order. */
  sort?: string | undefined;
}

/** State of a list with pages. */
export interface PagedState extends ListState {
  /** The current page, from 1; undefined for the first one. */
  page?: number | undefined;
}

/** Values of a column for display, filter and sorting. */
export interface Column<T> {
  readonly id: string;
  /** Catalogue key of the header. */
  readonly title: string;
  readonly text: (row: T) => string;
  /** Sort value if the column is not sorted by its text, for example a number. */
  readonly order?: (row: T) => number;
  /** Whether the default order is descending, such as newest first. */
  readonly isDescending?: boolean;
}

export const sortedBy = ({ sort = '' }: ListState): { id: string; descending: boolean } =>
  sort.startsWith('-') ? { id: sort.slice(1), descending: true } : { id: sort, descending: false };

/**
 * Returns a function that finds the rows that contain every search term. It reads the text of each row once, so that the
 * next key into the filter is quick.
 */
export const rowFilter = <T>(rows: readonly T[], textOf: (row: T) => string): ((search: string) => readonly T[]) => {
  let texts: readonly string[] | undefined;
  return (search) => {
    const terms = search.toLocaleLowerCase(locale()).split(/\s+/).filter(Boolean);
    if (terms.length === 0) return rows;
    texts ??= rows.map((row) => textOf(row).toLocaleLowerCase(locale()));
    const known = texts;
    return rows.filter((_, at) => terms.every((term) => known[at]?.includes(term)));
  };
};

/** A filter of the texts of all columns. */
export const columnFilter = <T>(rows: readonly T[], columns: readonly Column<T>[]) =>
  rowFilter(rows, (row) => columns.map((column) => column.text(row)).join(' '));

/** A sorted copy. Equal rows keep their order. */
export const sortRows = <T>(rows: readonly T[], columns: readonly Column<T>[], state: ListState): T[] => {
  const { id, descending } = sortedBy(state);
  const column = columns.find((one) => one.id === id) ?? columns[0];
  if (!column) return [...rows];
  const { order, text } = column;
  const compare = order ? (a: T, b: T) => order(a) - order(b) : (a: T, b: T) => compareNames(text(a), text(b));
  return rows.toSorted((a, b) => (descending ? -compare(a, b) : compare(a, b)));
};

/** The rows that contain every search term, sorted. */
export const arrange = <T>(rows: readonly T[], columns: readonly Column<T>[], state: ListState): T[] =>
  sortRows(columnFilter(rows, columns)(state.q ?? ''), columns, state);

/** The sort order after a click on a column: its default order first, then the reverse. */
export const nextSort = (state: ListState, id: string, first: string): string | undefined => {
  const now = sortedBy(state);
  const isThis = (now.id === '' ? first : now.id) === id;
  if (isThis && !now.descending) return `-${id}`;
  return id === first ? undefined : id;
};
