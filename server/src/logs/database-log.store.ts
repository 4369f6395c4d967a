import type { Logs } from '../database/database.ts';
import { GroupCommit } from './group-commit.ts';
import { appendOutput, appendResults, readHead, readLines, readResults, removeLogs, sealLog } from './log-blocks.ts';
import type { LogStore } from './log-store.ts';

/** Keeps logs in a database that is open here. `close` waits for what is being written, and leaves the database open. */
export const databaseLogStore = (db: Logs): LogStore => {
  const group = new GroupCommit(db);
  return {
    appendOutput: (batch) => group.write((tx) => appendOutput(tx, batch)),
    appendResults: (batch) => group.write((tx) => appendResults(tx, batch)),
    seal: (taskId) => group.write((tx) => sealLog(tx, taskId)),
    remove: (taskIds) => group.write((tx) => removeLogs(tx, taskIds)),
    head: (taskId) => readHead(db, taskId),
    lines: (taskId, from, limit) => readLines(db, taskId, from, limit),
    results: (taskId, from, limit) => readResults(db, taskId, from, limit),
    close: () => group.idle(),
  };
};
