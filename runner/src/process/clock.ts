/** Measures time and waits. Tests pass a clock that they set forward themselves. */
export interface Clock {
  /** Milliseconds since any fixed moment. */
  now(): number;
  /** Calls `action` once after this time in milliseconds, unless the returned function was called before. */
  after(ms: number, action: () => void): () => void;
}

/** The clock of this process. What waits for it does not keep the process alive. */
export const PROCESS_CLOCK: Clock = {
  now: () => performance.now(),
  after: (ms, action) => {
    const timer = setTimeout(action, ms).unref();
    return () => clearTimeout(timer);
  },
};
