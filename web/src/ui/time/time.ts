import { momentText } from '../../lang/locale.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
export const DAY_MS = 24 * HOUR;

/** A catalogue key with its count. */
export interface Phrase {
  readonly key: string;
  readonly count: number;
}

/**
 * The time since a moment in its largest unit. A moment in the future counts as now, because clocks differ a little.
 */
export const ago = (at: string | number, now: number): Phrase => {
  const passed = Math.max(0, now - new Date(at).getTime());
  if (passed < 10 * SECOND) return { key: 'ago.now', count: 0 };
  if (passed < MINUTE) return { key: 'ago.seconds', count: Math.floor(passed / SECOND) };
  if (passed < HOUR) return { key: 'ago.minutes', count: Math.floor(passed / MINUTE) };
  if (passed < DAY_MS) return { key: 'ago.hours', count: Math.floor(passed / HOUR) };
  if (passed < 2 * DAY_MS) return { key: 'ago.yesterday', count: 1 };
  if (passed < 60 * DAY_MS) return { key: 'ago.days', count: Math.floor(passed / DAY_MS) };
  return { key: 'ago.months', count: Math.floor(passed / (30 * DAY_MS)) };
};

/** A duration in milliseconds as `m:ss`, or `h:mm:ss` from one hour. */
export const durationText = (milliseconds: number): string => {
  const seconds = Math.max(0, Math.floor(milliseconds / SECOND));
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
};

/** A duration to its largest useful unit: seconds in steps of five, minutes, or hours with minutes. */
export const roughDuration = (milliseconds: number): { key: string; count: number; minutes: number } => {
  if (milliseconds < 90 * SECOND)
    return { key: 'expected.seconds', count: Math.max(5, Math.round(milliseconds / SECOND / 5) * 5), minutes: 0 };
  const minutes = Math.round(milliseconds / MINUTE);
  if (minutes < 90) return { key: 'expected.minutes', count: minutes, minutes: 0 };
  return { key: 'expected.hours', count: Math.floor(minutes / 60), minutes: minutes % 60 };
};

/** How long a task has run, in milliseconds; undefined before its start. */
export const taskDuration = (
  task: { readonly start: string | null; readonly end: string | null },
  now: number,
): number | undefined => {
  if (task.start === null) return undefined;
  const end = task.end === null ? now : new Date(task.end).getTime();
  return Math.max(0, end - new Date(task.start).getTime());
};

/** Date and time of a moment in the user's time zone and format. */
export const exactTime = (at: string | number): string => momentText(new Date(at));

/** Hours, minutes, seconds and milliseconds of a log line in the user's time zone. */
export const clockTime = (at: number): string => {
  const date = new Date(at);
  const pad = (value: number, digits = 2) => String(value).padStart(digits, '0');
  return `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}.${pad(date.getMilliseconds(), 3)}`;
};

/** Time from a moment to a log line: minutes, seconds and milliseconds. */
export const sinceStart = (at: number, start: number): string => {
  const passed = Math.max(0, at - start);
  return `+${durationText(passed)}.${String(passed % SECOND).padStart(3, '0')}`;
};

/** Usual duration of a successful task, in milliseconds: the median of the newest 20; undefined without any. */
export const usualDuration = (
  newestFirst: readonly { readonly status: string; readonly start: string | null; readonly end: string | null }[],
): number | undefined => {
  const durations = newestFirst
    .filter((task) => task.status === 'success' && task.end !== null)
    .slice(0, 20)
    .map((task) => taskDuration(task, 0))
    .filter((duration) => duration !== undefined)
    .sort((a, b) => a - b);
  return durations[Math.floor(durations.length / 2)];
};
