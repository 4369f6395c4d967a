import { LogStoreError, logStoreProblem, type ObjectStore } from './object-store.ts';
import { READ_MS, WRITE_MS } from './time-limits.ts';

/** Times in milliseconds. */
export interface Patience {
  /** Maximum time of a read or a removal. */
  readonly read: number;
  /** Maximum time of a write. */
  readonly write: number;
  /** Time after a failure for which calls fail at once, so that pages do not wait for a store that does not answer. */
  readonly pause: number;
}

type Kind = 'read' | 'write';

/** Writes fail at once after any failure, reads only after a failed read: a store may read what is there although it is full. */
const BLOCKED_BY = { read: ['read'], write: ['read', 'write'] } as const;

const PATIENCE: Patience = { read: READ_MS, write: WRITE_MS, pause: 3_000 };

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
  const failures: Partial<Record<Kind, { readonly error: LogStoreError; readonly at: number }>> = {};
  const guard = async <T>(kind: Kind, work: () => Promise<T>): Promise<T> => {
    for (const blocking of BLOCKED_BY[kind]) {
      const failure = failures[blocking];
      if (failure && performance.now() < failure.at + patience.pause) throw failure.error;
    }
    try {
      const value = await inTime(work(), patience[kind], store.address);
      failures[kind] = undefined;
      return value;
    } catch (error) {
      if (error instanceof LogStoreError && logStoreProblem(error) === 'away')
        failures[kind] = { error, at: performance.now() };
      throw error;
    }
  };
  /** Writes until the signal or the time limit ends it. If the store ends the write later, its object is removed then. */
  const putUntil = async (name: string, bytes: Buffer, signal: AbortSignal): Promise<void> => {
    const abandoned = new AbortController();
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const abort = () => reject(new LogStoreError('away', `The write of ${name} was aborted.`));
    let work: Promise<void> | undefined;
    let hasEnded = false;
    signal.addEventListener('abort', abort, { once: true });
    try {
      await guard('write', () => {
        work = store.put(name, bytes, AbortSignal.any([signal, abandoned.signal])).finally(() => {
          hasEnded = true;
        });
        return Promise.race([work, aborted]);
      });
    } finally {
      signal.removeEventListener('abort', abort);
      abandoned.abort();
      const remove = () => store.remove(name).catch(() => undefined);
      if (!hasEnded) void work?.then(remove, remove);
    }
  };
  return {
    address: store.address,
    put: (name, bytes, signal) =>
      signal ? putUntil(name, bytes, signal) : guard('write', () => store.put(name, bytes)),
    read: (...range) => guard('read', () => store.read(...range)),
    list: (after) => guard('read', () => store.list(after)),
    remove: (name) => guard('read', () => store.remove(name)),
  };
};
