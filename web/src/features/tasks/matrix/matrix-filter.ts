import { MATRIX_RESULTS, type MatrixResult } from '../../../ui/tasks/matrix-url.ts';
import { globOf } from './host-glob.ts';
import { type KeyedHost, medianMs } from './matrix-groups.ts';

/** A slow host took twice as long as half of the hosts, and this much longer, in milliseconds. */
const SLOW_BY_MS = 5_000;

/** The time from which on a host counts as slow. */
export const slowFrom = (hosts: readonly KeyedHost[]): number => {
  const answered = hosts.flatMap(({ host }) => (host.ms > 0 ? [host] : []));
  const median = medianMs(answered);
  return Math.max(2 * median, median + SLOW_BY_MS);
};

/** Whether a host belongs to each result. A failure that the playbook handled is none. */
const FITS: Readonly<Record<MatrixResult, (one: KeyedHost, slow: number) => boolean>> = {
  failed: ({ isFailed }) => isFailed,
  unreachable: ({ isUnreachable }) => isUnreachable,
  running: ({ block }) => block === 'running',
  changed: ({ host }) => host.changed > 0,
  slow: ({ host }, slow) => host.ms > slow,
};

export const countResults = (hosts: readonly KeyedHost[]): Record<MatrixResult, number> => {
  const slow = slowFrom(hosts);
  const counts = { failed: 0, unreachable: 0, running: 0, changed: 0, slow: 0 };
  for (const host of hosts) for (const result of MATRIX_RESULTS) if (FITS[result](host, slow)) counts[result] += 1;
  return counts;
};

/** A part of a search as a test for names: a text that they contain, or a pattern with `*`, `?` and `[ab]`. */
const matcherOf = (part: string): ((name: string) => boolean) => {
  if (part === 'all') return () => true;
  return /[*?[]/.test(part) ? globOf(part) : (name) => name.includes(part);
};

/** An IPv6 address, also with a prefix of `!` or `&`. Its colons separate no parts. */
const isAddress = (part: string): boolean =>
  /^[!&]?[0-9a-f:.]*(%\w+)?$/.test(part) && (part.includes('::') || part.split(':').length === 8);

const partsOf = (search: string): string[] =>
  search
    .trim()
    .toLowerCase()
    .split(/[,\s]+/)
    .flatMap((part) => (isAddress(part) ? [part] : part.split(':')))
    .filter((part) => part !== '' && part !== '!' && part !== '&');

/**
 * A search for hosts as in a limit of Ansible: parts that are separated by commas or colons; `!` excludes, `&` requires.
 * A group of the inventory is replaced by the names of its hosts; `all` means every host of the run.
 */
export const nameFilter = (
  search: string,
  groups: ReadonlyMap<string, ReadonlySet<string>> = new Map(),
): ((host: string) => boolean) => {
  const parts = partsOf(search);
  const testOf = (part: string): ((name: string) => boolean) => {
    const members = part === 'all' ? undefined : groups.get(part);
    return members ? (name) => members.has(name) : matcherOf(part);
  };
  const named = parts.filter((part) => !/^[!&]/.test(part)).map(testOf);
  const excluded = parts.filter((part) => part.startsWith('!')).map((part) => testOf(part.slice(1)));
  const required = parts.filter((part) => part.startsWith('&')).map((part) => testOf(part.slice(1)));
  return (host) => {
    const name = host.toLowerCase();
    return (
      (named.length === 0 || named.some((test) => test(name))) &&
      required.every((test) => test(name)) &&
      !excluded.some((test) => test(name))
    );
  };
};

/** The parts of a search that are neither a group, nor a pattern, nor contained in the name of a host of the run or the inventory. */
export const unknownParts = (
  search: string,
  groups: ReadonlyMap<string, ReadonlySet<string>>,
  hosts: readonly KeyedHost[],
): string[] =>
  partsOf(search)
    .map((part) => part.replace(/^[!&]/, ''))
    .filter((part) => part !== 'all' && !/[*?[\]~]/.test(part) && !groups.has(part))
    .filter((part) => !hosts.some(({ host }) => host.host.toLowerCase().includes(part)))
    .filter((part) => ![...groups.values()].some((members) => [...members].some((name) => name.includes(part))));

export const filterHosts = (
  hosts: readonly KeyedHost[],
  result: MatrixResult | undefined,
  fits: ((host: string) => boolean) | undefined,
): readonly KeyedHost[] => {
  if (result === undefined && !fits) return hosts;
  const slow = slowFrom(hosts);
  return hosts.filter((one) => (!result || FITS[result](one, slow)) && (!fits || fits(one.host.host)));
};
