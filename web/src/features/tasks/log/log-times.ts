import { clockTime, sinceStart } from '../../../ui/time/time.ts';

/** Whether times are shown before lines, and whether they are clock times or times since the start. */
const LOG_TIMES = ['off', 'clock', 'relative'] as const;
export type LogTimes = (typeof LOG_TIMES)[number];

/** The stored choice; `off` if it is invalid. */
export const readLogTimes = (remembered: string | undefined): LogTimes =>
  LOG_TIMES.find((times) => times === remembered) ?? 'off';

/** The choice after the next click on the button. */
export const nextLogTimes = (times: LogTimes): LogTimes =>
  LOG_TIMES[(LOG_TIMES.indexOf(times) + 1) % LOG_TIMES.length] ?? 'off';

/**
 * Formats the time of a line; undefined if times are not shown. Before the start of a task there is no time since the
 * start.
 */
export const timeFormatter = (times: LogTimes, start: string | null): ((at: number) => string) | undefined => {
  if (times === 'off') return undefined;
  if (times === 'clock' || start === null) return clockTime;
  const began = new Date(start).getTime();
  return (at) => sinceStart(at, began);
};
