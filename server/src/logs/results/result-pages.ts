import type { HostOutcome, HostSort, HostStats, RunHost, RunSteps, RunSummary } from '@signalbox/contract';
import type { HostEntry } from './host-entry.ts';
import { hasTrouble, type ResultIndex } from './result-index.ts';

/** Filter and order of hosts; `first` and `limit` count the hosts that match. */
export interface HostsQuery {
  readonly first: number;
  readonly limit: number;
  readonly sort: HostSort;
  readonly order: 'asc' | 'desc' | undefined;
  readonly outcome: HostOutcome | undefined;
  readonly name: string | undefined;
  /** Only hosts with a record whose number is higher. */
  readonly after: number | undefined;
  readonly firstStep: number;
  readonly stepLimit: number;
}

/** All hosts by name, without cells. */
export const HOSTS_BY_NAME = {
  sort: 'host',
  order: 'asc',
  outcome: undefined,
  name: undefined,
  after: undefined,
  firstStep: 1,
  stepLimit: 0,
} as const satisfies Omit<HostsQuery, 'first' | 'limit'>;

const LETTERS = '.ocfisur';
const collator = new Intl.Collator('en', { numeric: true });

const FITS: Readonly<Record<HostOutcome, (stats: HostStats) => boolean>> = {
  ok: (stats) => !hasTrouble(stats),
  trouble: hasTrouble,
  failed: ({ failures }) => failures > 0,
  unreachable: ({ unreachable }) => unreachable > 0,
  changed: ({ changed }) => changed > 0,
  rescued: ({ rescued }) => rescued > 0,
  ignored: ({ ignored }) => ignored > 0,
  skipped: ({ skipped }) => skipped > 0,
};

const countFitting = (hosts: readonly HostEntry[], outcome: HostOutcome): number =>
  hosts.reduce((count, { stats }) => count + (FITS[outcome](stats) ? 1 : 0), 0);

/**
 * Failures on hosts that the final counts do not call healthy, because older runners did not report rescued failures.
 */
export const badResults = (index: ResultIndex): ResultIndex['bad'] =>
  index.recap === undefined
    ? index.bad
    : index.bad.filter(({ host }) => hasTrouble(index.hosts[host - 1]?.stats ?? NO_STATS));

const NO_STATS: HostStats = { ok: 0, changed: 0, failures: 0, ignored: 0, skipped: 0, rescued: 0, unreachable: 0 };

export const summaryOf = (index: ResultIndex): RunSummary => ({
  results: index.next - 1,
  complete: index.recap !== undefined,
  recap_line: index.recap?.line ?? null,
  recap_at: index.recap?.at ?? null,
  steps: index.steps.length,
  hosts: {
    total: index.hosts.length,
    ok: countFitting(index.hosts, 'ok'),
    changed: countFitting(index.hosts, 'changed'),
    failed: countFitting(index.hosts, 'failed'),
    unreachable: countFitting(index.hosts, 'unreachable'),
    rescued: countFitting(index.hosts, 'rescued'),
    ignored: countFitting(index.hosts, 'ignored'),
    skipped: countFitting(index.hosts, 'skipped'),
  },
  failures: badResults(index).length,
  plays: index.plays.map(({ play, name, line, at, end, hosts, steps, bad }) => ({
    play,
    name,
    line,
    at,
    end,
    hosts,
    steps,
    bad,
  })),
});

export const stepsOf = (index: ResultIndex, first: number, limit: number): RunSteps => ({
  first,
  total: index.steps.length,
  steps: index.steps.slice(first - 1, first - 1 + limit).map((step) => ({
    step: step.step,
    play: step.play,
    name: step.name,
    action: step.action,
    handler: step.handler,
    path: step.path,
    line: step.line,
    at: step.at,
    end: step.end,
    counts: step.counts,
  })),
});

/** Numbers of all matching hosts, in the requested order. */
export const hostOrder = (
  index: ResultIndex,
  { sort, order, outcome, name, after }: Pick<HostsQuery, 'sort' | 'order' | 'outcome' | 'name' | 'after'>,
): number[] => {
  const wanted = name?.toLowerCase();
  const numbers: number[] = [];
  for (const [position, entry] of index.hosts.entries()) {
    const { host, stats } = entry;
    if (after !== undefined && entry.lastRecord <= after) continue;
    if (outcome !== undefined && !FITS[outcome](stats)) continue;
    if (wanted === undefined || host.toLowerCase().includes(wanted)) numbers.push(position + 1);
  }
  const of = (number: number): HostEntry => index.hosts[number - 1] as HostEntry;
  const byName = (a: number, b: number): number => collator.compare(of(a).host, of(b).host);
  const weight = (number: number): number => {
    const { stats } = of(number);
    if (sort === 'host' || sort === 'number') return 0;
    return sort === 'trouble' ? Number(hasTrouble(stats)) : stats[sort];
  };
  const direction = (order ?? (sort === 'host' || sort === 'number' ? 'asc' : 'desc')) === 'asc' ? 1 : -1;
  if (sort === 'number') return direction === 1 ? numbers : numbers.reverse();
  return numbers.sort((a, b) =>
    sort === 'host' ? direction * byName(a, b) : direction * (weight(a) - weight(b)) || byName(a, b),
  );
};

/** One letter per step for a range of steps, by their positions from 0. */
export const lettersOf = (index: ResultIndex, entry: HostEntry, from: number, limit: number): string => {
  const count = Math.max(0, Math.min(limit, index.steps.length - from));
  if (count === 0) return '';
  const letters = new Array<string>(count).fill('.');
  for (let position = 0; position < entry.length; position += 1) {
    const { step, cell } = entry.at(position);
    const at = (index.positionOf(step) ?? -1) - from;
    if (at >= 0 && at < count) letters[at] = LETTERS[cell] ?? '.';
  }
  return letters.join('');
};

/** Returns one page of hosts by their numbers. */
export const pageOfHosts = (
  index: ResultIndex,
  order: readonly number[],
  { first, limit, firstStep, stepLimit }: HostsQuery,
): RunHost[] =>
  order.slice(first - 1, first - 1 + limit).map((number) => {
    const entry = index.hosts[number - 1] as HostEntry;
    const { host, stats, ms } = entry;
    return { number, host, ...stats, ms, cells: lettersOf(index, entry, firstStep - 1, stepLimit) };
  });

/** Numbers of the records of a host, optionally of one step; undefined for an unknown host. */
export const recordsOfHost = (index: ResultIndex, number: number, step: number | undefined): number[] | undefined => {
  const entry = index.hosts[number - 1];
  if (!entry) return undefined;
  const records: number[] = [];
  for (let position = 0; position < entry.length; position += 1) {
    const cell = entry.at(position);
    if (step === undefined || cell.step === step) records.push(cell.record);
  }
  return records;
};
