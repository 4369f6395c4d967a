import type { View } from '@signalbox/contract';

/** A view in the dialog. Those that are not stored yet have an id below zero. */
export interface ViewRow {
  readonly id: number;
  readonly title: string;
  /** What is typed; undefined while nothing is. */
  readonly draft: string | undefined;
}

export const rowsOf = (views: readonly View[]): ViewRow[] =>
  views.toSorted((a, b) => a.position - b.position).map(({ id, title }) => ({ id, title, draft: undefined }));

/** The rows with one more that is not stored yet. */
export const withNewRow = (rows: readonly ViewRow[]): ViewRow[] => [
  ...rows,
  { id: Math.min(0, ...rows.map(({ id }) => id)) - 1, title: '', draft: '' },
];

export const isNewRow = ({ id }: ViewRow): boolean => id < 0;

/** Whether what is typed can be saved: something, and something else than before. */
export const maySave = ({ title, draft }: ViewRow): boolean =>
  draft !== undefined && draft.trim() !== '' && draft.trim() !== title;

/** The rows with the one at `from` moved to `to`. */
export const moved = (rows: readonly ViewRow[], from: number, to: number): ViewRow[] => {
  const row = rows[from];
  if (!row || to < 0 || to >= rows.length) return [...rows];
  return rows.toSpliced(from, 1).toSpliced(to, 0, row);
};

/** The positions of the stored views that are no longer where the server has them, by id. */
export const changedPositions = (rows: readonly ViewRow[], views: readonly View[]): Record<string, number> => {
  const stored = new Map(views.map(({ id, position }) => [id, position]));
  const places = rows.filter((row) => !isNewRow(row)).map(({ id }, position) => [id, position] as const);
  return Object.fromEntries(places.filter(([id, position]) => stored.get(id) !== position));
};
