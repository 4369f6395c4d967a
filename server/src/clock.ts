/** The two clocks: one that people read and that may jump, and one that only runs forward, in milliseconds. */
export interface Clock {
  now(): Date;
  monotonic(): number;
  /**
   * Does the work once, so many milliseconds of the clock that only runs forward from now.
   * @returns what to call when it is not to be done any more
   */
  after(ms: number, work: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonic: () => performance.now(),
  after: (ms, work) => {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};
