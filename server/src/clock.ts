import { uptime } from 'node:os';

/** The two clocks: one that people read and that may jump, and one that only runs forward, in milliseconds. */
export interface Clock {
  now(): Date;
  monotonic(): number;
  /** The same, but it also counts the time in which the machine sleeps. */
  sinceBoot(): number;
  /**
   * Does the work once, so many milliseconds of the clock that only runs forward from now.
   * @returns what to call when it is not to be done any more
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
