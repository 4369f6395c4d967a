import { Worker } from 'node:worker_threads';
import type { DatabaseLocation } from '../database/open-database.ts';
import { ThreadCalls } from '../thread-calls.ts';
import type { LogStore } from './log-store.ts';
import type { Method, MovedLogs, WorkerRequest, WorkerSettings } from './log-worker.messages.ts';

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
  const calls = new ThreadCalls<WorkerRequest>({ name: 'log store', start: () => startWorker(location), onLost });
  const call = <M extends Method | 'close'>(method: M, args: Parameters<LogStore[M]>): Promise<never> =>
    calls.call({ method, args } as WorkerRequest);
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
      if (calls.isRunning) await call('stopMoves', []);
    },
    endMove: (...args) => call('endMove', args),
    moveBack: (...args) => call('moveBack', args),
    close: async () => {
      calls.close();
      if (calls.isRunning) await call('close', []);
    },
  };
};
