import { parentPort, workerData } from 'node:worker_threads';
import type { Logs } from '../database/database.ts';
import type { Capabilities } from '../database/dialects/capabilities.ts';
import { logsFileCapabilities, openLogsFile } from '../database/logs-file.ts';
import { databaseLogStore } from './database-log.store.ts';
import type { WorkerCall, WorkerError, WorkerReply, WorkerSettings } from './log-worker.messages.ts';
import { logStoreProblem } from './objects/object-store.ts';
import { openLogObjects } from './objects/open-object-store.ts';

/**
 * On SQLite, owns the file of the logs on a thread of its own, so that output, compression and syncs never block the event
 * loop that answers requests. On PostgreSQL, searches logs and reads results: indexes, clusters and comparisons of large runs take long.
 */
const port = parentPort;
if (!port) throw new Error('Only the server starts log.worker.ts.');

const { location, moved } = workerData as WorkerSettings;

const open = async (): Promise<{ readonly db: Logs; readonly capabilities: Capabilities }> => {
  if ('folder' in location) return { db: openLogsFile(location.folder), capabilities: logsFileCapabilities };
  // Only here, because the driver of PostgreSQL needs memory.
  const { openLogReader } = await import('../database/log-reader.ts');
  return openLogReader(location.url);
};

const { db, capabilities } = await open();
const store = databaseLogStore(db, capabilities, openLogObjects(moved));

const answer = async ({ method, args }: WorkerCall): Promise<unknown> => {
  if (method === 'close') {
    await store.close();
    await db.destroy();
    return undefined;
  }
  const call = store[method] as (...args: unknown[]) => Promise<unknown>;
  return await call(...args);
};

const errorOf = (error: unknown): WorkerError => {
  const problem = logStoreProblem(error);
  return {
    message: error instanceof Error ? error.message : String(error),
    ...(error instanceof Error && 'code' in error ? { code: String(error.code) } : {}),
    ...(error instanceof Error && 'errcode' in error ? { errcode: Number(error.errcode) } : {}),
    ...(problem ? { logStoreProblem: problem } : {}),
  };
};

port.on('message', async (call: WorkerCall) => {
  let reply: WorkerReply;
  try {
    reply = { id: call.id, value: await answer(call) };
  } catch (error) {
    reply = { id: call.id, error: errorOf(error) };
  }
  port.postMessage(reply);
  if (call.method === 'close') port.close();
});
