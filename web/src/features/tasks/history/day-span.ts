import type { TaskFilter } from '../../../api/keys.ts';

/** The days on which the shown tasks were created. */
export interface DaySpan {
  /** Number of days including today. */
  days?: number | undefined;
  /** The first and the last day, such as `2026-11-21`. */
  from?: string | undefined;
  to?: string | undefined;
}

/** Midnight in the time zone of the user, some days after a day. */
const midnight = (day: string, after = 0): Date => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + after);
};

/** Midnight at the start of the last days. */
export const startOfLast = (days: number, now: Date): Date =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() - days + 1);

/** The moments between which the tasks were created. Without days, there is no limit. */
export const momentsOf = ({ days, from, to }: DaySpan, now: Date): Pick<TaskFilter, 'from' | 'to'> => {
  const starts = [
    ...(days === undefined ? [] : [startOfLast(days, now)]),
    ...(from === undefined ? [] : [midnight(from)]),
  ];
  return {
    from: starts.length === 0 ? undefined : new Date(Math.max(...starts.map(Number))).toISOString(),
    to: to === undefined ? undefined : midnight(to, 1).toISOString(),
  };
};
