/** The two clocks: one that people read and that may jump, and one that only runs forward, in milliseconds. */
export interface Clock {
  now(): Date;
  monotonic(): number;
}

export const systemClock: Clock = { now: () => new Date(), monotonic: () => performance.now() };
