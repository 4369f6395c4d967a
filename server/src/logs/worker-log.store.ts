import { Worker } from 'node:worker_threads';
import type { LogStore } from './log-store.ts';
import type { Method, WorkerReply } from './log-worker.messages.ts';

interface Pending {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

/** Keeps logs in the SQLite file of the data folder, on a worker thread. */
export const workerLogStore = (folder: string): LogStore => {
  const worker = new Worker(new URL('./log.worker.ts', import.meta.url), { workerData: { folder } });
  const pending = new Map<number, Pending>();
  let ids = 0;
  let broken: Error | undefined;

  worker.on('message', (reply: WorkerReply) => {
    const waiting = pending.get(reply.id);
    pending.delete(reply.id);
    if ('error' in reply) waiting?.reject(Object.assign(new Error(reply.error.message), reply.error));
    else waiting?.resolve(reply.value as never);
  });
  const fail = (error: Error): void => {
    broken = error;
    for (const { reject } of pending.values()) reject(error);
    pending.clear();
  };
  worker.on('error', fail);
  worker.on('exit', () => fail(new Error('The log store is closed.')));

  const call = <M extends Method | 'close'>(method: M, args: Parameters<LogStore[M]>): ReturnType<LogStore[M]> => {
    const { promise, resolve, reject } = Promise.withResolvers<never>();
    if (broken) reject(broken);
    else {
      const id = ++ids;
      pending.set(id, { resolve, reject });
      worker.postMessage({ id, method, args });
    }
    return promise as ReturnType<LogStore[M]>;
  };
  return {
    appendOutput: (...args) => call('appendOutput', args),
    appendResults: (...args) => call('appendResults', args),
    seal: (...args) => call('seal', args),
    remove: (...args) => call('remove', args),
    head: (...args) => call('head', args),
    lines: (...args) => call('lines', args),
    results: (...args) => call('results', args),
    resultSummary: (...args) => call('resultSummary', args),
    resultSteps: (...args) => call('resultSteps', args),
    resultHosts: (...args) => call('resultHosts', args),
    resultFailures: (...args) => call('resultFailures', args),
    resultsOfHost: (...args) => call('resultsOfHost', args),
    close: () => call('close', []),
  };
};
