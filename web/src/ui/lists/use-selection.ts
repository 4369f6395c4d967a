import { useRef, useState } from 'react';

/** The selected rows of a list. */
export interface Selection {
  /** Ids of the selected rows that are shown, in the order of the list. */
  readonly ids: readonly number[];
  readonly has: (id: number) => boolean;
  /** Selects or deselects a row; with `isRange` also the rows between it and the one before. */
  readonly toggle: (id: number, isRange: boolean) => void;
  /** Selects every row, or none if all are selected. */
  readonly toggleAll: () => void;
  readonly clear: () => void;
  readonly isAll: boolean;
}

/** The ids between two rows, both included. */
const between = (rows: readonly number[], from: number, to: number): number[] => {
  const [a, b] = [rows.indexOf(from), rows.indexOf(to)];
  return a < 0 || b < 0 ? [to] : rows.slice(Math.min(a, b), Math.max(a, b) + 1);
};

/**
 * Selects rows of a list. Rows that are no longer shown are not selected.
 * @param rows ids of the rows that can be selected, in their order
 * @param max maximum number of selected rows
 */
export const useSelection = (rows: readonly number[], max: number): Selection => {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const last = useRef<number>(undefined);
  const ids = rows.filter((id) => chosen.has(id));
  const isAll = rows.length > 0 && ids.length === Math.min(rows.length, max);
  return {
    ids,
    isAll,
    has: (id) => chosen.has(id),
    toggle: (id, isRange) => {
      const changed = isRange && last.current !== undefined ? between(rows, last.current, id) : [id];
      const isAdded = !chosen.has(id);
      last.current = id;
      const next = new Set(ids);
      for (const one of changed) isAdded ? next.add(one) : next.delete(one);
      setChosen(new Set([...next].slice(0, max)));
    },
    toggleAll: () => setChosen(new Set(isAll ? [] : rows.slice(0, max))),
    clear: () => setChosen(new Set()),
  };
};
