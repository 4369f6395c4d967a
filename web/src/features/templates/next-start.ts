import type { Schedule } from '@signalbox/contract';

/** The earliest time at which an active schedule starts a task. A paused schedule has no next times. */
export const nextStart = (schedules: readonly Pick<Schedule, 'next_times'>[]): string | undefined =>
  schedules.flatMap(({ next_times: [first] }) => first ?? []).toSorted()[0];
