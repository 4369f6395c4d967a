import type { View } from '@signalbox/contract';

/** A view in the dialog. Unsaved views have a negative id. */
export interface ViewRow {
  readonly id: number;
  readonly title: string;
  /** The typed title; undefined without changes. */
  readonly draft: string | undefined;
}

export const rowsOf = (views: readonly View[]): ViewRow[] =>
  views.toSorted((a, b) => a.position - b.position).map(({ id, title }) => ({ id, title, draft: undefined }));

/** The rows with a new unsaved one. */
export const withNewRow = (rows: readonly ViewRow[]): ViewRow[] => [
  ...rows,
  { id: Math.min(0, ...rows.map(({ id }) => id)) - 1, title: '', draft: '' },
];

export const isNewRow = ({ id }: ViewRow): boolean => id < 0;

/** Whether the typed title can be saved: it is not empty and differs from the saved one. */
export const maySave = ({ title, draft }: ViewRow): boolean =>
  draft !== undefined && draft.trim() !== '' && draft.trim() !== title;

/** The new positions of the saved views that were moved, by id. */
export const changedPositions = (rows: readonly ViewRow[], views: readonly View[]): Record<string, number> => {
  const stored = new Map(views.map(({ id, position }) => [id, position]));
  const positions = rows.filter((row) => !isNewRow(row)).map(({ id }, position) => [id, position] as const);
  return Object.fromEntries(positions.filter(([id, position]) => stored.get(id) !== position));
};
