import type { Logs } from '../database/database.ts';
import { GroupCommit } from './group-commit.ts';
import { appendOutput, appendResults, readHead, readLines, readResults, removeLogs, sealLog } from './log-blocks.ts';
import type { LogStore } from './log-store.ts';

/** Keeps logs in a database that is open here, and gives back with `tidy` what removed ones held. `close` waits for what is being written, and leaves the database open. */
export const databaseLogStore = (db: Logs, tidy: (db: Logs) => Promise<void> = () => Promise.resolve()): LogStore => {
  const group = new GroupCommit(db);
  return {
    appendOutput: (batch) => group.write((tx) => appendOutput(tx, batch)),
    appendResults: (batch) => group.write((tx) => appendResults(tx, batch)),
    seal: (taskId) => group.write((tx) => sealLog(tx, taskId)),
    remove: async (taskIds) => {
      await group.write((tx) => removeLogs(tx, taskIds));
      await tidy(db);
    },
    head: (taskId) => readHead(db, taskId),
    lines: (taskId, from, limit) => readLines(db, taskId, from, limit),
    results: (taskId, from, limit) => readResults(db, taskId, from, limit),
    close: () => group.idle(),
  };
};
