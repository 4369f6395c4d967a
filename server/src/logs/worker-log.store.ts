import { Worker } from 'node:worker_threads';
import type { LogStore } from './log-store.ts';
import type { Method, WorkerReply } from './log-worker.messages.ts';

interface Pending {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

/** Between the starts of two workers, in milliseconds: one that cannot live must not keep the machine busy. */
const PAUSE_MS = 1_000;

/** SQLITE_IOERR, as the database says of a disk that does not answer: whoever asks is told to try again. */
const NOT_NOW = { errcode: 10 };

/** A thread that owns the logs file of a folder. */
export const startLogWorker = (folder: string): Worker =>
  new Worker(new URL('./log.worker.ts', import.meta.url), { workerData: { folder } });

/**
 * Keeps logs in the SQLite file of the data folder, on a worker thread. When that dies, what is under way is rejected, and
 * what is asked later goes to a new one.
 * @param onLost hears why a worker died
 */
export const workerLogStore = (
  folder: string,
  onLost: (error: Error) => void = () => undefined,
  startWorker: typeof startLogWorker = startLogWorker,
): LogStore => {
  const pending = new Map<number, Pending>();
  let ids = 0;
  let worker: Worker | undefined;
  let startedAt = 0;
  let whyNone = new Error('The log store is closed.');
  let isClosed = false;

  const start = (): Worker => {
    startedAt = performance.now();
    const started = startWorker(folder);
    let why: Error | undefined;
    started.on('message', (reply: WorkerReply) => {
      const waiting = pending.get(reply.id);
      pending.delete(reply.id);
      if ('error' in reply) waiting?.reject(Object.assign(new Error(reply.error.message), reply.error));
      else waiting?.resolve(reply.value as never);
    });
    started.on('error', (error: Error) => {
      why = error;
    });
    // Not with the error already: until the thread is gone it holds the file, and whatever lock it had.
    started.on('exit', () => {
      worker = undefined;
      if (!isClosed) {
        whyNone = Object.assign(new Error('The thread that keeps the logs has ended.', { cause: why }), NOT_NOW);
        onLost(why ?? whyNone);
      }
      for (const { reject } of pending.values()) reject(whyNone);
      pending.clear();
    });
    worker = started;
    return started;
  };
  const running = (): Worker => {
    if (worker) return worker;
    if (isClosed || performance.now() < startedAt + PAUSE_MS) throw whyNone;
    return start();
  };
  const call = async <M extends Method | 'close'>(method: M, args: Parameters<LogStore[M]>): Promise<never> => {
    const { promise, resolve, reject } = Promise.withResolvers<never>();
    const id = ++ids;
    running().postMessage({ id, method, args });
    pending.set(id, { resolve, reject });
    return await promise;
  };
  start();
  return {
    appendOutput: (...args) => call('appendOutput', args),
    appendResults: (...args) => call('appendResults', args),
    seal: (...args) => call('seal', args),
    remove: (...args) => call('remove', args),
    head: (...args) => call('head', args),
    storedLines: (...args) => call('storedLines', args),
    lines: (...args) => call('lines', args),
    linesBefore: (...args) => call('linesBefore', args),
    results: (...args) => call('results', args),
    resultSummary: (...args) => call('resultSummary', args),
    resultSteps: (...args) => call('resultSteps', args),
    resultHosts: (...args) => call('resultHosts', args),
    resultFailures: (...args) => call('resultFailures', args),
    resultsOfHost: (...args) => call('resultsOfHost', args),
    close: async () => {
      isClosed = true;
      if (worker) await call('close', []);
    },
  };
};
