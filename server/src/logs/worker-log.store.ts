import { Worker } from 'node:worker_threads';
import type { DatabaseLocation } from '../database/open-database.ts';
import type { LogStore } from './log-store.ts';
import type { Method, MovedLogs, WorkerReply, WorkerSettings } from './log-worker.messages.ts';

interface Pending {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Minimum time between the starts of two workers, in milliseconds, so that a worker that fails at once does not keep
 * the machine busy.
 */
const PAUSE_MS = 1_000;

/** SQLITE_IOERR, and a lost connection of PostgreSQL: callers treat it like a disk that does not answer, and retry. */
const NOT_NOW = { errcode: 10, code: '08006' };

/** Starts a thread that owns the logs file of a folder, or reads the logs of a PostgreSQL database. */
export const startLogWorker = (location: DatabaseLocation, moved?: MovedLogs): Worker =>
  new Worker(new URL('./log.worker.ts', import.meta.url), { workerData: { location, moved } satisfies WorkerSettings });

/**
 * Uses logs on a worker thread that starts with the first call: stores them in the SQLite file of the data folder, or
 * reads them from PostgreSQL. If the thread dies, calls in progress are rejected, and later calls use a new thread.
 * @param onLost called with the reason why a worker died
 */
export const workerLogStore = (
  location: DatabaseLocation,
  onLost: (error: Error) => void = () => undefined,
  startWorker: typeof startLogWorker = startLogWorker,
): LogStore => {
  const pending = new Map<number, Pending>();
  let ids = 0;
  let worker: Worker | undefined;
  let startedAt = Number.NEGATIVE_INFINITY;
  let whyNone = new Error('The log store is closed.');
  let isClosed = false;

  const start = (): Worker => {
    startedAt = performance.now();
    const started = startWorker(location);
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
    // Not on `error`: the thread holds the file and its locks until it has exited.
    started.on('exit', () => {
      worker = undefined;
      if (!isClosed) {
        whyNone = Object.assign(new Error('The thread of the log store has ended.', { cause: why }), NOT_NOW);
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
  return {
    appendOutput: (...args) => call('appendOutput', args),
    appendResults: (...args) => call('appendResults', args),
    closeLog: (...args) => call('closeLog', args),
    remove: (...args) => call('remove', args),
    removeLines: (...args) => call('removeLines', args),
    sizes: (...args) => call('sizes', args),
    head: (...args) => call('head', args),
    storedLines: (...args) => call('storedLines', args),
    lines: (...args) => call('lines', args),
    linesBefore: (...args) => call('linesBefore', args),
    search: (...args) => call('search', args),
    results: (...args) => call('results', args),
    resultSummary: (...args) => call('resultSummary', args),
    resultSteps: (...args) => call('resultSteps', args),
    resultHosts: (...args) => call('resultHosts', args),
    resultFailures: (...args) => call('resultFailures', args),
    resultClusters: (...args) => call('resultClusters', args),
    clusterHosts: (...args) => call('clusterHosts', args),
    compareRuns: (...args) => call('compareRuns', args),
    compareLogs: (...args) => call('compareLogs', args),
    resultNotes: (...args) => call('resultNotes', args),
    resultTimes: (...args) => call('resultTimes', args),
    timesOfRuns: (...args) => call('timesOfRuns', args),
    resultTimeline: (...args) => call('resultTimeline', args),
    runSoFar: (...args) => call('runSoFar', args),
    isWorkingOn: (...args) => call('isWorkingOn', args),
    resultsOfHost: (...args) => call('resultsOfHost', args),
    moveSize: (...args) => call('moveSize', args),
    move: (...args) => call('move', args),
    stopMoves: async () => {
      if (worker) await call('stopMoves', []);
    },
    endMove: (...args) => call('endMove', args),
    moveBack: (...args) => call('moveBack', args),
    close: async () => {
      isClosed = true;
      if (worker) await call('close', []);
    },
  };
};
