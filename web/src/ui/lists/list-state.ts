import { compareNames, locale } from '../../lang/locale.ts';

/** How a list is looked at; part of the address, so that it can be sent to somebody. */
export interface ListState {
  /** Words that the rows must hold. */
  q?: string | undefined;
  /** Column that the rows are sorted by, the other way round with a minus before it. */
  sort?: string | undefined;
}

/** The same of a list that is shown page by page. */
export interface PagedState extends ListState {
  /** The page shown, from 1; the first one without. */
  page?: number | undefined;
}

/** What one column shows and is sorted and searched by. */
export interface Column<T> {
  readonly id: string;
  /** Key of its head's text. */
  readonly title: string;
  readonly text: (row: T) => string;
  /** What sorts where the text does not, for example a number. */
  readonly order?: (row: T) => number;
  /** Whether the default order is descending, such as the newest first. */
  readonly isDescending?: boolean;
}

export const sortedBy = ({ sort = '' }: ListState): { id: string; descending: boolean } =>
  sort.startsWith('-') ? { id: sort.slice(1), descending: true } : { id: sort, descending: false };

/** The rows that hold every word, sorted; equal rows keep their order. */
export const arrange = <T>(rows: readonly T[], columns: readonly Column<T>[], state: ListState): T[] => {
  const words = (state.q ?? '').toLocaleLowerCase(locale()).split(/\s+/).filter(Boolean);
  const found = rows.filter((row) => {
    const text = columns
      .map((column) => column.text(row))
      .join(' ')
      .toLocaleLowerCase(locale());
    return words.every((word) => text.includes(word));
  });
  const { id, descending } = sortedBy(state);
  const column = columns.find((one) => one.id === id) ?? columns[0];
  if (!column) return found;
  const { order, text } = column;
  const compare = order ? (a: T, b: T) => order(a) - order(b) : (a: T, b: T) => compareNames(text(a), text(b));
  return found.toSorted((a, b) => (descending ? -compare(a, b) : compare(a, b)));
};

/** The sorting after a click on a column: its own order first, then the other way round. */
export const nextSort = (state: ListState, id: string, first: string): string | undefined => {
  const now = sortedBy(state);
  const isThis = (now.id === '' ? first : now.id) === id;
  if (isThis && !now.descending) return `-${id}`;
  return id === first ? undefined : id;
};
