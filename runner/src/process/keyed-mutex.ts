/** Waits for `promise`, or rejects when the signal is aborted. */
const unlessAborted = async (promise: Promise<unknown>, signal: AbortSignal): Promise<void> => {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
};

/**
 * Runs the work of each key one after another, in the order of the calls. The lock works only within this process. That is
 * enough, because no other process uses the data folder of a runner.
 */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Whether work with this key is running or waiting. */
  isLocked = (key: string): boolean => this.#last.has(key);

  /**
   * Waits for all earlier work with the same key, then runs `work`. If `signal` is aborted while it waits, rejects at once
   * with the reason of the signal, and does not run `work`.
   */
  async run<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const { promise: done, resolve } = Promise.withResolvers<void>();
    // The next call waits for `before` too: this call may be aborted while `before` is still running.
    const mine = Promise.all([before, done]);
    this.#last.set(key, mine);
    try {
      if (before) await unlessAborted(before, signal);
      return await work();
    } finally {
      resolve();
      if (this.#last.get(key) === mine) this.#last.delete(key);
    }
  }
}
