import { clockTime, sinceStart } from '../../../ui/time/time.ts';

/** How times stand before lines: not at all, by the clock, or since the task began. */
const LOG_TIMES = ['off', 'clock', 'relative'] as const;
export type LogTimes = (typeof LOG_TIMES)[number];

/** The choice that was remembered; none where it makes no sense. */
export const readLogTimes = (remembered: string | undefined): LogTimes =>
  LOG_TIMES.find((times) => times === remembered) ?? 'off';

/** The choice after another press of the button. */
export const nextLogTimes = (times: LogTimes): LogTimes =>
  LOG_TIMES[(LOG_TIMES.indexOf(times) + 1) % LOG_TIMES.length] ?? 'off';

/** Says when a line came; undefined where times are not shown. Before its start a task has no time of its own. */
export const timeTeller = (times: LogTimes, start: string | null): ((at: number) => string) | undefined => {
  if (times === 'off') return undefined;
  if (times === 'clock' || start === null) return clockTime;
  const began = new Date(start).getTime();
  return (at) => sinceStart(at, began);
};
