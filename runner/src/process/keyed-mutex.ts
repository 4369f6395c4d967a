/** Settles as `promise` does, or rejects once the signal is given. */
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
 * Lets one at a time work on what a key names, in the order in which they came. It holds within this process; a runner has
 * its data folder for itself, so no other process works there.
 */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<unknown>>();

  /** True when somebody works on it, or waits to. */
  isLocked = (key: string): boolean => this.#last.has(key);

  /** Waits for its turn, then works. Rejects at once, and lets the next one in, when `signal` is given while it waits. */
  async run<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const { promise: done, resolve } = Promise.withResolvers<void>();
    // Who gives up while it waits still has the one before it.
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
