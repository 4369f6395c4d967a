import { useCallback, useMemo, useState } from 'react';
import { storage } from '../browser/storage.ts';

/** The visible columns of a table. The choice is stored under the table's own key. */
export const useColumns = <C extends string>(table: string, all: readonly C[]) => {
  const [hidden, setHidden] = useState<readonly string[]>(() => storage.hiddenColumns(table));
  const toggle = useCallback(
    (column: C) =>
      setHidden((before) => {
        const after = before.includes(column) ? before.filter((name) => name !== column) : [...before, column];
        storage.setHiddenColumns(table, after);
        return after;
      }),
    [table],
  );
  // Memoized, so that rows are rendered only when their own values change.
  const shown = useMemo(() => all.filter((column) => !hidden.includes(column)), [all, hidden]);
  return { shown, toggle };
};
