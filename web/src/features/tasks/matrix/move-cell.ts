/** A cell by its positions; column -1 is the name of the row. */
export interface Cell {
  readonly row: number;
  readonly column: number;
}

export interface GridSize {
  readonly rows: number;
  readonly columns: number;
  /** Number of visible rows. */
  readonly page: number;
}

const within = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));

/** The cell that a key leads to; undefined for a key that moves to none. Column -1 is the name of a row. */
export const moveCell = (key: string, from: Cell | undefined, { rows, columns, page }: GridSize): Cell | undefined => {
  const { row, column } = from ?? { row: -1, column: 0 };
  const steps: Readonly<Record<string, readonly [row: number, column: number]>> = {
    ArrowDown: [1, 0],
    ArrowUp: [-1, 0],
    ArrowRight: [0, 1],
    ArrowLeft: [0, -1],
    PageDown: [Math.max(1, page), 0],
    PageUp: [-Math.max(1, page), 0],
    Home: [0, -columns - 1],
    End: [0, columns],
  };
  const step = steps[key];
  if (!step || rows === 0) return undefined;
  return { row: within(row + step[0], 0, rows - 1), column: within(column + step[1], -1, columns - 1) };
};
