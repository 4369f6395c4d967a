import { type HostRun, type HostStats, MAX_HOST_RUNS } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import type { HostTable } from '../../database/schema.ts';

/** The part of a row that tells of the past. */
export type HostPast = Omit<Selectable<HostTable>, 'id' | 'project_id' | 'host'>;

/** What one run did to one host. */
export interface HostOfRun {
  readonly taskId: number;
  /** When the run ended. */
  readonly ended: string;
  /** Whether the playbook came to its end: only then is the absence of a failure a success. */
  readonly complete: boolean;
  readonly stats: HostStats;
}

const NO_PAST: HostPast = {
  last_success: null,
  last_success_task: null,
  last_change: null,
  last_change_task: null,
  last_failure: null,
  last_failure_task: null,
  runs: '[]',
};

type Moment = 'last_success' | 'last_change' | 'last_failure';

export const runsOf = ({ runs }: Pick<HostPast, 'runs'>): HostRun[] => JSON.parse(runs) as HostRun[];

/** Runs are written down in any order, and again after a crash: the latest counts, however often it comes. */
const isLater = (run: HostOfRun, time: string | null, task: number | null): boolean =>
  time === null || run.ended > time || (run.ended === time && run.taskId > (task ?? 0));

/** The past of a host with one more run; the same when that run is in it already. */
export const withRun = (past: Partial<HostPast>, run: HostOfRun): HostPast => {
  const next: { -readonly [K in keyof HostPast]: HostPast[K] } = { ...NO_PAST, ...past };
  const mark = (moment: Moment): void => {
    if (!isLater(run, next[moment], next[`${moment}_task`])) return;
    next[moment] = run.ended;
    next[`${moment}_task`] = run.taskId;
  };
  const failed = run.stats.failures > 0 || run.stats.unreachable > 0;
  if (failed) mark('last_failure');
  else if (run.complete) mark('last_success');
  if (run.stats.changed > 0) mark('last_change');
  const others = runsOf(next).filter(({ task_id, time }) => task_id !== run.taskId || time !== run.ended);
  const { ok, changed, failures, ignored, skipped, rescued, unreachable } = run.stats;
  const entry: HostRun = {
    time: run.ended,
    task_id: run.taskId,
    ...{ ok, changed, failures, ignored, skipped, rescued, unreachable },
  };
  const latest = [...others, entry].sort((a, b) =>
    a.time === b.time ? (b.task_id ?? 0) - (a.task_id ?? 0) : a.time < b.time ? 1 : -1,
  );
  next.runs = JSON.stringify(latest.slice(0, MAX_HOST_RUNS));
  return next;
};
