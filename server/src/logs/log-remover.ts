import type { Database } from '../database/database.ts';
import { makeSweeper, type WorkerLoop } from '../worker-loop.ts';
import { sweepLogs } from './log-removal.ts';
import type { LogStore } from './log-store.ts';

interface Needs {
  readonly database: Database;
  readonly logs: LogStore;
  readonly onError: (error: unknown) => void;
}

/** Removes the logs that were asked to be removed. */
export const makeLogRemover = ({ database, logs, onError }: Needs): WorkerLoop =>
  makeSweeper((signal) => sweepLogs(database, logs, signal), onError);
