import {
  type CommonCause,
  HOST_DAYS,
  type HostRunOutcome,
  type HostStats,
  MAX_TEMPLATE_RUNS,
} from '@signalbox/contract';
import { DAY_MS } from '@signalbox/contract/limits';
import type { Selectable } from 'kysely';
import type { HostTemplateTable } from '../../database/host.schema.ts';

/** The columns of a row that hold the past. */
export type TemplatePast = Omit<Selectable<HostTemplateTable>, 'host_id' | 'template_id' | 'group_names'>;

/** What failed on a host in a run. */
export interface HostFailed {
  readonly fingerprint: string;
  readonly cause: CommonCause | null;
  readonly title: string;
  /** First log line of the failure. */
  readonly line: number;
}

/** A run of a template on a host. */
export interface TemplateRun {
  readonly taskId: number;
  /** Time when the run ended. */
  readonly ended: string;
  readonly complete: boolean;
  readonly stats: HostStats;
  readonly failed?: HostFailed | undefined;
}

type Counts = [
  ok: number,
  changed: number,
  failures: number,
  ignored: number,
  skipped: number,
  rescued: number,
  unreachable: number,
];

/** A stored run, with whether it ended early and, if it failed, the failure and its line. */
export type PastRun = readonly [
  task: number,
  ended: number,
  counts: Counts,
  early: 0 | 1,
  fingerprint?: string,
  line?: number,
];

const MAX_TITLE = 200;
const LETTERS: Readonly<Record<HostRunOutcome, string>> = {
  ok: 'o',
  changed: 'c',
  failed: 'f',
  unreachable: 'u',
  stopped: 's',
};
/** From harmless to bad; the first one is a day without a run. */
const RANKS = '.oscfu';
const EMPTY = RANKS[0] as string;

export const dayOf = (time: number): number => Math.floor(time / DAY_MS);

export const pastOf = ({ past }: Pick<TemplatePast, 'past'>): PastRun[] => JSON.parse(past) as PastRun[];

export const outcomeOf = ([, , [, changed, failures, , , , unreachable], early]: PastRun): HostRunOutcome => {
  if (unreachable > 0) return 'unreachable';
  if (failures > 0) return 'failed';
  if (changed > 0) return 'changed';
  return early === 1 ? 'stopped' : 'ok';
};

/** The days up to a day, without the older ones. */
const shiftedTo = (days: string, by: number): string =>
  by >= HOST_DAYS ? EMPTY.repeat(HOST_DAYS) : `${days}${EMPTY.repeat(by)}`.slice(-HOST_DAYS);

/** The outcome of each of the last days, the day of a time last. */
export const daysUntil = (
  { days, last_day }: Pick<TemplatePast, 'days' | 'last_day'>,
  now: number,
): (HostRunOutcome | null)[] => {
  const names = Object.entries(LETTERS) as [HostRunOutcome, string][];
  const shown = shiftedTo(days, Math.max(0, dayOf(now) - last_day));
  return [...shown].map((letter) => names.find(([, own]) => own === letter)?.[0] ?? null);
};

/** Notes an outcome of a day. The worst one of a day counts. */
const withDay = (
  past: Pick<TemplatePast, 'days' | 'last_day'>,
  day: number,
  outcome: HostRunOutcome,
): Pick<TemplatePast, 'days' | 'last_day'> => {
  const last_day = Math.max(past.last_day, day);
  const days = shiftedTo(past.days, last_day - past.last_day);
  const at = HOST_DAYS - 1 - (last_day - day);
  if (at < 0) return { days, last_day };
  const [before, letter] = [days[at] ?? EMPTY, LETTERS[outcome]];
  const worse = RANKS.indexOf(letter) > RANKS.indexOf(before) ? letter : before;
  return { last_day, days: `${days.slice(0, at)}${worse}${days.slice(at + 1)}` };
};

/** A run as it is stored. */
export const entryOf = ({ taskId, ended, complete, stats, failed }: TemplateRun): PastRun => {
  const { ok, changed, failures, ignored, skipped, rescued, unreachable } = stats;
  const counts: Counts = [ok, changed, failures, ignored, skipped, rescued, unreachable];
  const entry = [taskId, Date.parse(ended), counts, complete ? 0 : 1] as const;
  return failed ? [...entry, failed.fingerprint, failed.line] : entry;
};

const isNewer = ([task, ended]: PastRun, than: PastRun): boolean =>
  ended > than[1] || (ended === than[1] && task > than[0]);

/** Adds a run of a template to its past on a host. Runs come in any order; adding the same run again changes nothing. */
export const withTemplateRun = (past: TemplatePast | undefined, run: TemplateRun): TemplatePast => {
  const entry = entryOf(run);
  const earlier = past ? pastOf(past) : [];
  const others = earlier.filter(([task, ended]) => task !== entry[0] || ended !== entry[1]);
  const oldest = earlier[MAX_TEMPLATE_RUNS - 1];
  // A run that is older than all kept ones may have been added before.
  if (past && oldest && !isNewer(entry, oldest)) return past;
  const kept = [entry, ...others].sort((a, b) => (isNewer(a, b) ? -1 : 1)).slice(0, MAX_TEMPLATE_RUNS);
  const last = kept[0] as PastRun;
  const isLast = last === entry;
  const outcome = outcomeOf(entry);
  const strip = past ?? { days: EMPTY.repeat(HOST_DAYS), last_day: dayOf(entry[1]) };
  const failure = run.failed
    ? { cause: run.failed.cause, title: run.failed.title.slice(0, MAX_TITLE).toWellFormed() }
    : { cause: null, title: '' };
  return {
    task_id: last[0],
    ended: last[1],
    outcome: outcomeOf(last),
    ...(isLast || !past ? failure : { cause: past.cause, title: past.title }),
    runs: (past?.runs ?? 0) + (others.length === earlier.length ? 1 : 0),
    ...withDay(strip, dayOf(entry[1]), outcome),
    past: JSON.stringify(kept),
  };
};
