import type { Schedule } from '@signalbox/contract';

type Timed = Pick<Schedule, 'active' | 'next_start' | 'next_times' | 'next_freezes' | 'freeze'>;

/** When a schedule starts its next task. Undefined if it is paused or done, or freeze windows skip all known due times. */
export const startOf = ({ active, next_start, next_times, next_freezes, freeze }: Timed): string | undefined => {
  if (!active || next_start === null) return undefined;
  if (freeze === null || freeze.held) return next_start;
  const index = next_freezes.findIndex((one) => one === null || one.held);
  return next_freezes[index]?.until ?? next_times[index];
};

/** Schedules with their next starts, in the order of these; those without one are last. */
export const byStart = <T extends Timed>(schedules: readonly T[]): { schedule: T; start: string | undefined }[] =>
  schedules
    .map((schedule) => ({ schedule, start: startOf(schedule) }))
    .toSorted((a, b) => Date.parse(a.start ?? '9999') - Date.parse(b.start ?? '9999'));
