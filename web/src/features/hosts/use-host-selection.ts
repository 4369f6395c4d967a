import { useRef, useState } from 'react';
import type { Selection } from '../../ui/lists/use-selection.ts';

interface Named {
  readonly id: number;
  readonly host: string;
  /** Null for a host of an inventory. */
  readonly vanished_since: string | null;
}

export interface HostSelection extends Selection {
  /** The names of the selected hosts that an inventory has, also of those on other pages. */
  readonly names: readonly string[];
  /** Selects these hosts, and no others. */
  readonly choose: (hosts: readonly Named[]) => void;
}

/** Selects hosts of a list with pages: hosts of other pages stay selected. @param rows hosts of the page that is shown */
export const useHostSelection = (rows: readonly Named[]): HostSelection => {
  const [chosen, setChosen] = useState<ReadonlyMap<number, Named>>(new Map());
  const last = useRef<number>(undefined);
  const choose = (hosts: readonly Named[]) => setChosen(new Map(hosts.map((one) => [one.id, one])));
  const set = (hosts: readonly Named[], isAdded: boolean) => {
    const next = new Map(chosen);
    for (const one of hosts) isAdded ? next.set(one.id, one) : next.delete(one.id);
    setChosen(next);
  };
  const isAll = rows.length > 0 && rows.every(({ id }) => chosen.has(id));
  return {
    ids: [...chosen.keys()],
    names: [...chosen.values()].filter((one) => one.vanished_since === null).map(({ host }) => host),
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
