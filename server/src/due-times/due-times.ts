/** When a schedule is due: by a cron, an interval or a single moment. */
export interface DueTimes {
  /** The time zone in which due times are calculated. */
  readonly timezone: string;
  /** The first due time after a moment; undefined when there is none. */
  after(moment: Date): Date | undefined;
}

/** Due every so many seconds, counted from a moment: the same times on every server and after every restart. */
export const everySeconds = (seconds: number, from: number): Pick<DueTimes, 'after'> => ({
  after: (moment) => new Date(from + (Math.floor((moment.getTime() - from) / (seconds * 1000)) + 1) * seconds * 1000),
});

/** The first `count` due times after a moment. */
export const nextTimes = (times: DueTimes, moment: Date, count: number): Date[] => {
  const found: Date[] = [];
  for (let due = times.after(moment); due && found.length < count; due = times.after(due)) found.push(due);
  return found;
};
