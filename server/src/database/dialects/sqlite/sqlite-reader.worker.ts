import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { ReaderCall, ReaderSettings } from './sqlite-reader.ts';

/** Runs the queries of `sqlite-reader.ts` on a thread of its own. */
const port = parentPort;
if (!port) throw new Error('Only the server starts sqlite-reader.worker.ts.');

/** How long a query waits for another process that changes the file as a whole, in milliseconds. */
const BUSY_MS = 1_300;

const database = new DatabaseSync((workerData as ReaderSettings).file, { readOnly: true, timeout: BUSY_MS });

port.on('message', ({ id, sql, parameters }: ReaderCall & { readonly id: number }) => {
  try {
    port.postMessage({ id, value: database.prepare(sql).all(...(parameters as SQLInputValue[])) });
  } catch (error) {
    const { message } = error as Error;
    port.postMessage({
      id,
      error: { message, ...(error instanceof Error && 'errcode' in error ? { errcode: error.errcode } : {}) },
    });
  }
});
