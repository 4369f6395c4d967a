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

/** The rows that contain every search term, sorted. Equal rows keep their order. */
export const arrange = <T>(rows: readonly T[], columns: readonly Column<T>[], state: ListState): T[] => {
  const terms = (state.q ?? '').toLocaleLowerCase(locale()).split(/\s+/).filter(Boolean);
  const matches = (row: T): boolean => {
    const text = columns
      .map((column) => column.text(row))
      .join(' ')
      .toLocaleLowerCase(locale());
    return terms.every((term) => text.includes(term));
  };
  const found = terms.length === 0 ? [...rows] : rows.filter(matches);
  const { id, descending } = sortedBy(state);
  const column = columns.find((one) => one.id === id) ?? columns[0];
  if (!column) return found;
  const { order, text } = column;
  const compare = order ? (a: T, b: T) => order(a) - order(b) : (a: T, b: T) => compareNames(text(a), text(b));
  return found.toSorted((a, b) => (descending ? -compare(a, b) : compare(a, b)));
};

/** The sort order after a click on a column: its default order first, then the reverse. */
export const nextSort = (state: ListState, id: string, first: string): string | undefined => {
  const now = sortedBy(state);
  const isThis = (now.id === '' ? first : now.id) === id;
  if (isThis && !now.descending) return `-${id}`;
  return id === first ? undefined : id;
};
