import type { MatrixSort } from '../../../ui/tasks/matrix-url.ts';
import type { MatrixHost } from './matrix-host.ts';
import { sortInSlices } from './sort-in-slices.ts';

/** Blocks of the matrix in their order. */
export const BLOCKS = ['bad', 'running', 'done', 'waiting'] as const;
export type Block = (typeof BLOCKS)[number];

/** Hosts with the same results. */
export interface Group {
  /** Block and results, which identify the group. */
  readonly key: string;
  readonly block: Block;
  /** What its hosts show, as a text of `shownText`. */
  readonly shown: string;
  /** The hosts by name; never empty. */
  readonly hosts: readonly MatrixHost[];
  readonly changed: number;
  /** Median time of its hosts in milliseconds. */
  readonly ms: number;
}

/** One host with what it shows and its block. */
export interface KeyedHost {
  readonly host: MatrixHost;
  readonly block: Block;
  readonly shown: string;
  /** Name with numbers of the same length, so that a comparison of characters sorts numbers by value. */
  readonly name: string;
  /** Whether steps failed, and whether it was unreachable. */
  readonly isFailed: boolean;
  readonly isUnreachable: boolean;
}

const DIGITS = 12;

/** Much faster than a collator, with which sorting 10,000 names would block the page. */
export const sortableName = (name: string): string =>
  name.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(DIGITS, '0'));

const byName = (a: KeyedHost, b: KeyedHost): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

export const medianMs = (hosts: readonly MatrixHost[]): number => {
  const times = Float64Array.from(hosts, ({ ms }) => ms).sort();
  return times[times.length >> 1] ?? 0;
};

interface Sorted extends Group {
  readonly name: string;
  /** Position of its block, and of unreachable hosts after failed ones. */
  readonly rank: number;
}

/** Position of the first failure in the cells of a group: earlier failures come first. */
const firstFailure = ({ shown }: Group): number => {
  const at = shown.search(/[fu]/);
  return at < 0 ? shown.length : at;
};

const groupOf = (key: string, members: KeyedHost[]): Sorted => {
  if (members.length > 1) members.sort(byName);
  const [first] = members as [KeyedHost];
  const { block, shown, name } = first;
  const hosts = members.map(({ host }) => host);
  const changed = hosts.reduce((most, host) => Math.max(most, host.changed), 0);
  const rank = 2 * BLOCKS.indexOf(block) + (block === 'bad' && shown.includes('u') ? 1 : 0);
  return { key, block, shown, hosts, changed, ms: hosts.length > 1 ? medianMs(hosts) : first.host.ms, name, rank };
};

const ORDERS: Readonly<Record<MatrixSort, (a: Sorted, b: Sorted) => number>> = {
  trouble: (a, b) => a.rank - b.rank || b.hosts.length - a.hosts.length || firstFailure(a) - firstFailure(b),
  name: () => 0,
  changed: (a, b) => b.changed - a.changed,
  time: (a, b) => b.ms - a.ms,
};

/** Hosts, or groups, between two pauses. */
const SLICE = 500;

/** The groups of some hosts in an order. Without folding, each host is a group of its own. */
export function* groupHosts(
  hosts: readonly KeyedHost[],
  foldsAlike: boolean,
  sort: MatrixSort,
): Generator<void, readonly Group[]> {
  const members = new Map<string, KeyedHost[]>();
  for (const [at, one] of hosts.entries()) {
    if (at % SLICE === SLICE - 1) yield;
    const key = foldsAlike ? `${one.block} ${one.shown}` : one.host.host;
    const found = members.get(key);
    if (found) found.push(one);
    else members.set(key, [one]);
  }
  const groups: Sorted[] = [];
  for (const [key, own] of members) {
    if (groups.length % SLICE === SLICE - 1 || own.length > SLICE) yield;
    groups.push(groupOf(key, own));
  }
  const compare = ORDERS[sort];
  return yield* sortInSlices(groups, (a, b) => compare(a, b) || (a.name < b.name ? -1 : 1));
}
