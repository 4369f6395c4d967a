import type { Group } from './matrix-groups.ts';
import type { MatrixHost } from './matrix-host.ts';

/** A row of the matrix: a group, one of its hosts, or what shows the other hosts of a group. */
export type Row =
  | { readonly kind: 'group'; readonly group: Group; readonly isOpen: boolean; readonly hasLine: boolean }
  | { readonly kind: 'host'; readonly group: Group; readonly host: MatrixHost }
  | { readonly kind: 'more'; readonly group: Group; readonly count: number };

/** Heights in pixels. */
const HEIGHTS = { group: 26, host: 20, more: 24 } as const;
/** Height of the gap between two blocks. */
export const GAP = 9;
/** Hosts of an unfolded group before the others are requested, and how many follow with each request. */
const FIRST = 4;
const NEXT = 1000;

/** How many hosts of each unfolded group are shown, by the keys of the groups. */
export type Opened = ReadonlyMap<string, number>;

export const toggled = (opened: Opened, key: string): Opened => {
  const next = new Map(opened);
  if (!next.delete(key)) next.set(key, FIRST);
  return next;
};

export const unfolded = (opened: Opened, key: string): Opened =>
  new Map(opened).set(key, (opened.get(key) ?? FIRST) + NEXT);

/** @param hasBlocks whether a gap separates the blocks: only if they are sorted by them */
export const rowsOf = (groups: readonly Group[], opened: Opened, hasBlocks: boolean): Row[] => {
  const rows: Row[] = [];
  for (const [at, group] of groups.entries()) {
    const shown = group.hosts.length > 1 ? opened.get(group.key) : undefined;
    const hasLine = hasBlocks && at > 0 && groups[at - 1]?.block !== group.block;
    rows.push({ kind: 'group', group, isOpen: shown !== undefined, hasLine });
    if (shown === undefined) continue;
    for (const host of group.hosts.slice(0, shown)) rows.push({ kind: 'host', group, host });
    if (group.hosts.length > shown) rows.push({ kind: 'more', group, count: group.hosts.length - shown });
  }
  return rows;
};

/** The tops of rows and, last, the height of all. */
export const rowTops = (rows: readonly Row[]): Float64Array => {
  const tops = new Float64Array(rows.length + 1);
  let top = 0;
  for (const [at, row] of rows.entries()) {
    if (row.kind === 'group' && row.hasLine) top += GAP;
    tops[at] = top;
    top += HEIGHTS[row.kind];
  }
  tops[rows.length] = top;
  return tops;
};

export const rowHeight = (row: Row): number => HEIGHTS[row.kind];

/** Index of the last position that begins at or before a value, by halving; 0 for a smaller value. */
export const indexAt = (starts: Float64Array, value: number): number => {
  let [low, high] = [0, Math.max(0, starts.length - 2)];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
};
