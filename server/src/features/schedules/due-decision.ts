import { type Cron, dueTimes } from './cron.ts';

/** A due time is still run so long after it, in milliseconds; an older one is missed. */
export const LATE_MS = 5 * 60_000;

/** How far a clock may be set back, in milliseconds, without a due time coming again. */
export const CLOCK_STEP_MS = 3 * 60 * 60_000;

/** Counting stops here: a cron of every minute has half a million due times a year. */
const MOST_COUNTED = 1000;

export interface Missed {
  readonly count: number;
  /** True when there are more than were counted. */
  readonly more: boolean;
  readonly last: Date;
}

/** What is to be done about everything that fell due up to now. */
export interface DueDecision {
  /** The due time that starts a task: the oldest for which it is not too late. */
  readonly run: Date | undefined;
  /** The due times that start none. */
  readonly missed: Missed | undefined;
  /** The due time that this is about; none up to it is looked at again. */
  readonly handled: Date;
  readonly next: Date | undefined;
}

export interface DueOptions {
  /** True when several due times that are not too late start one run, that of the newest. */
  readonly once?: boolean;
  /** The time to which the clock was set forward: earlier due times are missed. */
  readonly skippedTo?: Date | undefined;
}

const HOUR_MS = 60 * 60_000;

/** The due times from `first`, which is one, up to `end`; stops after `most`. */
const dueBetween = (cron: Cron, first: Date, end: Date, most: number): Date[] => {
  const times: Date[] = [];
  for (let due: Date | undefined = first; due && due <= end && times.length < most; due = cron.after(due)) {
    times.push(due);
  }
  return times;
};

/** The newest due time up to `end`, which is not before `first`: looks back twice as far each time. */
const newestUpTo = (cron: Cron, first: Date, end: Date): Date => {
  for (let back = HOUR_MS; end.getTime() - back > first.getTime(); back *= 2) {
    const due = cron.after(new Date(end.getTime() - back));
    if (due && due <= end) return dueBetween(cron, due, end, Number.POSITIVE_INFINITY).at(-1) ?? due;
  }
  return dueBetween(cron, first, end, Number.POSITIVE_INFINITY).at(-1) ?? first;
};

/**
 * Decides what happens at `now` to a schedule whose oldest unhandled due time is `oldest`: everything that is too late
 * is missed at once, and of what is not, the oldest is run; what follows it is decided next.
 */
export const decideDue = (
  cron: Cron,
  oldest: Date,
  now: Date,
  { once = false, skippedTo }: DueOptions = {},
): DueDecision => {
  const tooLate = new Date(Math.max(now.getTime() - LATE_MS - 1, skippedTo?.getTime() ?? 0));
  const missed = dueBetween(cron, oldest, tooLate, MOST_COUNTED + 1);
  const more = missed.length > MOST_COUNTED;
  const lastMissed = more ? newestUpTo(cron, oldest, tooLate) : missed.at(-1);
  const firstInTime = lastMissed ? cron.after(lastMissed) : oldest;
  const inTime = firstInTime ? dueBetween(cron, firstInTime, now, Number.POSITIVE_INFINITY) : [];
  const run = once ? inTime.at(-1) : inTime[0];
  const handled = run ?? lastMissed ?? oldest;
  return {
    run,
    missed: lastMissed && { count: more ? MOST_COUNTED : missed.length, more, last: lastMissed },
    handled,
    next: cron.after(handled),
  };
};

/**
 * The first due time of a schedule that is new, was resumed or got another cron. Where the clock was set back a
 * little, what was handled before it does not come again.
 */
export const firstDue = (cron: Cron, now: Date, handled: Date | null): Date | undefined => {
  const ahead = handled ? handled.getTime() - now.getTime() : 0;
  return cron.after(handled && ahead > 0 && ahead <= CLOCK_STEP_MS ? handled : now);
};

/** The due times that people are shown: what is stored first, so that both always agree. */
export const shownTimes = (cron: Cron, nextDue: Date, now: Date, count: number): Date[] =>
  nextDue > now ? [nextDue, ...dueTimes(cron, nextDue, count - 1)] : dueTimes(cron, now, count);
