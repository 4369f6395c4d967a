import { WorkSlice } from '../../work-slice.ts';
import type { Retention } from './retention-settings.ts';

/** An ended task, as it counts for the curve. Sizes are in bytes. */
export interface MeasuredTask {
  /** Age in days. */
  readonly age: number;
  /** Whether retention never removes it: a user keeps it, or something refers to it. */
  readonly isProtected: boolean;
  readonly hasLog: boolean;
  readonly logBytes: number;
  readonly resultBytes: number;
}

/** Totals over the `count` oldest tasks. The other columns leave out protected tasks. */
type Point = readonly [count: number, tasks: number, logs: number, logBytes: number, resultBytes: number];

/**
 * How the sizes of a template are distributed over the ages of its tasks. It has a few points, between which values are
 * interpolated, so that a forecast reads no task.
 */
export interface StorageCurve {
  /** Number of tasks that are older than a number of days, from the youngest age to the oldest one. */
  readonly ages: readonly (readonly [days: number, count: number])[];
  readonly points: readonly Point[];
}

export interface Removal {
  readonly tasks: number;
  readonly logs: number;
  readonly bytes: number;
}

const AGES = [1, 2, 3, 5, 7, 10, 14, 21, 30, 45, 60, 90, 120, 180, 270, 365, 545, 730, 1095];
const RANKS = [1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 500, 1000, 2000, 5000, 10_000];

/** Number of tasks that are older than some days. A long run that is out of order makes it less exact. */
const olderThan = (tasks: readonly MeasuredTask[], days: number): number => {
  let [low, high] = [0, tasks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tasks[middle]?.age ?? 0) > days) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** Tasks between two checks of the time. */
const STEP = 1024;

/**
 * Builds the curve of a template in slices, so that calls are answered in between.
 * @param tasks the oldest first
 */
export const buildCurve = async (
  tasks: readonly MeasuredTask[],
  slice: Pick<WorkSlice, 'isOver' | 'next'> = new WorkSlice(),
): Promise<StorageCurve> => {
  const total = tasks.length;
  const oldest = Math.ceil(tasks[0]?.age ?? 0);
  const ages = [
    [0, total] as const,
    ...AGES.filter((days) => days < oldest).map((days) => [days, olderThan(tasks, days)] as const),
    [oldest, 0] as const,
  ];
  const counts = new Set([...ages.map(([, count]) => count), ...RANKS.map((rank) => total - rank)]);
  const points: Point[] = [[0, 0, 0, 0, 0]];
  let [unprotected, logs, logBytes, resultBytes] = [0, 0, 0, 0];
  for (const [at, task] of tasks.entries()) {
    if (at % STEP === 0 && slice.isOver) await slice.next();
    if (!task.isProtected) {
      unprotected += 1;
      resultBytes += task.resultBytes;
      if (task.hasLog) {
        logs += 1;
        logBytes += task.logBytes;
      }
    }
    if (counts.has(at + 1)) points.push([at + 1, unprotected, logs, logBytes, resultBytes]);
  }
  return { ages, points };
};

/** The value between two known ones. */
const between = (from: number, to: number, share: number): number => from + (to - from) * share;

const countOlder = ({ ages }: StorageCurve, days: number): number => {
  const at = ages.findIndex(([known]) => known >= days);
  const [right, left] = [ages[at], ages[at - 1]];
  if (!right) return 0;
  if (!left || right[0] === left[0]) return right[1];
  return between(left[1], right[1], (days - left[0]) / (right[0] - left[0]));
};

const pointAt = ({ points }: StorageCurve, count: number): Point => {
  const at = points.findIndex(([known]) => known >= count);
  const [right, left] = [points[at], points[at - 1]];
  if (!right) return points.at(-1) ?? [0, 0, 0, 0, 0];
  if (!left) return right;
  const share = (count - left[0]) / (right[0] - left[0]);
  const value = (column: 1 | 2 | 3 | 4): number => between(left[column], right[column], share);
  return [count, value(1), value(2), value(3), value(4)];
};

/**
 * Estimates what retention removes with some settings.
 * @param aheadDays days from now. Tasks that start later are ignored.
 */
export const removedBy = (
  curve: StorageCurve,
  { tasksDays, logsDays, leastTasks }: Retention,
  aheadDays = 0,
): Removal => {
  const unprotected = Math.max(0, (curve.ages[0]?.[1] ?? 0) - leastTasks);
  const countFor = (days: number): number =>
    days === 0 ? 0 : Math.min(unprotected, countOlder(curve, Math.max(0, days - aheadDays)));
  const tasks = countFor(tasksDays);
  const [, , logs, logBytes] = pointAt(curve, Math.max(tasks, countFor(logsDays)));
  const [, removed, , , resultBytes] = pointAt(curve, tasks);
  return { tasks: Math.round(removed), logs: Math.round(logs), bytes: Math.round(logBytes + resultBytes) };
};
