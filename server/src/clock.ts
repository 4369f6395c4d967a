import { uptime } from 'node:os';

/** The wall clock, which may jump, and a monotonic clock, in milliseconds. */
export interface Clock {
  now(): Date;
  monotonic(): number;
  /** Like `monotonic`, but also counts the time while the machine sleeps. */
  sinceBoot(): number;
  /**
   * Runs `work` once, after this many milliseconds of the monotonic clock.
   * @returns a function that cancels the call
   */
  after(ms: number, work: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonic: () => performance.now(),
  sinceBoot: () => uptime() * 1000,
  after: (ms, work) => {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};
