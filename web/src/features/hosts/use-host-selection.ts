import { useRef, useState } from 'react';
import type { Selection } from '../../ui/lists/use-selection.ts';

interface Named {
  readonly id: number;
  readonly host: string;
}

export interface HostSelection extends Selection {
  /** The names of the selected hosts, also of those on other pages. */
  readonly names: readonly string[];
  /** Selects these hosts, and no others. */
  readonly choose: (hosts: readonly Named[]) => void;
}

/** Selects hosts of a list with pages: hosts of other pages stay selected. @param rows hosts of the page that is shown */
export const useHostSelection = (rows: readonly Named[]): HostSelection => {
  const [chosen, setChosen] = useState<ReadonlyMap<number, string>>(new Map());
  const last = useRef<number>(undefined);
  const choose = (hosts: readonly Named[]) => setChosen(new Map(hosts.map(({ id, host }) => [id, host])));
  const set = (hosts: readonly Named[], isAdded: boolean) => {
    const next = new Map(chosen);
    for (const { id, host } of hosts) isAdded ? next.set(id, host) : next.delete(id);
    setChosen(next);
  };
  const isAll = rows.length > 0 && rows.every(({ id }) => chosen.has(id));
  return {
    ids: [...chosen.keys()],
    names: [...chosen.values()],
    isAll,
    choose,
    has: (id) => chosen.has(id),
    toggle: (id, isRange) => {
      const [at, from] = [rows.findIndex((row) => row.id === id), rows.findIndex((row) => row.id === last.current)];
      last.current = id;
      const isFrom = isRange && from >= 0;
      set(rows.slice(isFrom ? Math.min(at, from) : at, (isFrom ? Math.max(at, from) : at) + 1), !chosen.has(id));
    },
    toggleAll: () => set(rows, !isAll),
    clear: () => choose([]),
  };
};
