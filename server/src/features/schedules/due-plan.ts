import { type DueTimes, nextTimes } from '../../due-times/due-times.ts';

/** Age up to which a due time still starts a task, in milliseconds. An older one is missed. */
export const LATE_MS = 5 * 60_000;

/** Maximum step by which a clock may be set back without repeating due times, in milliseconds. */
export const CLOCK_STEP_MS = 3 * 60 * 60_000;

/** Maximum number of missed due times that are counted. A cron of every minute has half a million a year. */
const MAX_COUNTED = 1000;

export interface Missed {
  readonly count: number;
  /** Whether counting stopped at the maximum. */
  readonly more: boolean;
  readonly last: Date;
}

/** What to do about the due times up to now. */
export interface DuePlan {
  /** The due time that starts a task: the oldest one that is not too late. */
  readonly run: Date | undefined;
  /** The due times that start no task. */
  readonly missed: Missed | undefined;
  /** The last due time that this plan covers. */
  readonly handled: Date;
  readonly next: Date | undefined;
}

export interface DueOptions {
  /** Whether several due times start one run only, for the newest of them. */
  readonly once?: boolean;
  /** The time to which the clock was set forward: earlier due times are missed. */
  readonly skippedTo?: Date | undefined;
}

const HOUR_MS = 60 * 60_000;

/** Yields the due times from `first`, which is one, up to `end`. Stops after `most`. */
const dueBetween = (times: DueTimes, first: Date, end: Date, most: number): Date[] => {
  const found: Date[] = [];
  for (let due: Date | undefined = first; due && due <= end && found.length < most; due = times.after(due)) {
    found.push(due);
  }
  return found;
};

/** The newest due time between `first` and `end`. The search window doubles with each step. */
const newestUpTo = (times: DueTimes, first: Date, end: Date): Date => {
  for (let back = HOUR_MS; end.getTime() - back > first.getTime(); back *= 2) {
    const due = times.after(new Date(end.getTime() - back));
    if (due && due <= end) return dueBetween(times, due, end, Number.POSITIVE_INFINITY).at(-1) ?? due;
  }
  return dueBetween(times, first, end, Number.POSITIVE_INFINITY).at(-1) ?? first;
};

/**
 * Plans what happens at `now` to a schedule with `oldest` as its first unhandled due time. All due times that are
 * too late are missed at once. Of the others, the oldest starts a task, and the next plan covers the rest.
 */
export const planDue = (
  times: DueTimes,
  oldest: Date,
  now: Date,
  { once = false, skippedTo }: DueOptions = {},
): DuePlan => {
  const tooLate = new Date(Math.max(now.getTime() - LATE_MS - 1, skippedTo?.getTime() ?? 0));
  const missed = dueBetween(times, oldest, tooLate, MAX_COUNTED + 1);
  const more = missed.length > MAX_COUNTED;
  const lastMissed = more ? newestUpTo(times, oldest, tooLate) : missed.at(-1);
  const firstInTime = lastMissed ? times.after(lastMissed) : oldest;
  const inTime = firstInTime ? dueBetween(times, firstInTime, now, Number.POSITIVE_INFINITY) : [];
  const run = once ? inTime.at(-1) : inTime[0];
  const handled = run ?? lastMissed ?? oldest;
  return {
    run,
    missed: lastMissed && { count: more ? MAX_COUNTED : missed.length, more, last: lastMissed },
    handled,
    next: times.after(handled),
  };
};

/**
 * The first due time of a schedule that is new, resumed or has other due times. After the clock was set back a little,
 * due times that were handled before are not repeated.
 */
export const firstDue = (times: DueTimes, now: Date, handled: Date | null): Date | undefined => {
  const ahead = handled ? handled.getTime() - now.getTime() : 0;
  return times.after(handled && ahead > 0 && ahead <= CLOCK_STEP_MS ? handled : now);
};

/** The due times that the console shows. Starts with the stored one, so that both agree. */
export const shownTimes = (times: DueTimes, nextDue: Date, now: Date, count: number): Date[] =>
  nextDue > now ? [nextDue, ...nextTimes(times, nextDue, count - 1)] : nextTimes(times, now, count);
