import { type HostRun, type HostStats, MAX_HOST_RUNS } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import type { HostTable } from '../../database/host.schema.ts';

/** The columns of a row that hold the history. */
export type HostPast = Omit<Selectable<HostTable>, 'id' | 'project_id' | 'host'>;

/** The result of one run for one host. */
export interface HostOfRun {
  readonly taskId: number;
  /** Time when the run ended. */
  readonly ended: string;
  /** Whether the playbook ran to its end. Only then does no failure mean success. */
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

/** Runs are stored in any order, and again after a crash. The latest one counts. */
const isLater = (run: HostOfRun, time: string | null, task: number | null): boolean =>
  time === null || run.ended > time || (run.ended === time && run.taskId > (task ?? 0));

/** Adds a run to the history of a host. Adding the same run again changes nothing. */
export const withRun = (past: Partial<HostPast>, run: HostOfRun): HostPast => {
  const next: { -readonly [K in keyof HostPast]: HostPast[K] } = { ...NO_PAST, ...past };
  const update = (moment: Moment): void => {
    if (!isLater(run, next[moment], next[`${moment}_task`])) return;
    next[moment] = run.ended;
    next[`${moment}_task`] = run.taskId;
  };
  const failed = run.stats.failures > 0 || run.stats.unreachable > 0;
  if (failed) update('last_failure');
  else if (run.complete) update('last_success');
  if (run.stats.changed > 0) update('last_change');
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
