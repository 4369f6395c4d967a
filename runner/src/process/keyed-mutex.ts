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
 * Runs work with the same key one after another, in the order of the calls. It works within this process, which is enough
 * because no other process uses the data folder of a runner.
 */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Whether work with this key is running or waiting. */
  isLocked = (key: string): boolean => this.#last.has(key);

  /** Waits for the work before, then runs `work`. Rejects at once, without running it, if `signal` is aborted while it waits. */
  async run<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const { promise: done, resolve } = Promise.withResolvers<void>();
    // A call that gives up while it waits must not let the next one pass the work before.
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
