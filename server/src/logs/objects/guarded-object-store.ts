import { LogStoreError, logStoreProblem, type ObjectStore } from './object-store.ts';

/** Times in milliseconds. */
export interface Patience {
  /** Maximum time of a read or a removal. */
  readonly read: number;
  /** Maximum time of a write. */
  readonly write: number;
  /** Time after a failure for which calls fail at once, so that pages do not wait for a store that does not answer. */
  readonly pause: number;
}

const PATIENCE: Patience = { read: 10_000, write: 300_000, pause: 3_000 };

const inTime = async <T>(work: Promise<T>, ms: number, address: string): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new LogStoreError('away', `The log store ${address} did not answer within ${ms / 1000} s.`)),
    ms,
  );
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
};

/** Limits how long callers wait for a store. */
export const guardedObjectStore = (store: ObjectStore, patience: Patience = PATIENCE): ObjectStore => {
  let failedAt = Number.NEGATIVE_INFINITY;
  let failure: LogStoreError | undefined;
  const guard = async <T>(ms: number, work: () => Promise<T>): Promise<T> => {
    if (failure && performance.now() < failedAt + patience.pause) throw failure;
    try {
      const value = await inTime(work(), ms, store.address);
      failure = undefined;
      return value;
    } catch (error) {
      if (error instanceof LogStoreError && logStoreProblem(error) === 'away') {
        failure = error;
        failedAt = performance.now();
      }
      throw error;
    }
  };
  return {
    address: store.address,
    put: (name, bytes) => guard(patience.write, () => store.put(name, bytes)),
    read: (...range) => guard(patience.read, () => store.read(...range)),
    remove: (name) => guard(patience.read, () => store.remove(name)),
  };
};
