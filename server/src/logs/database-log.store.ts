import type { Logs } from '../database/database.ts';
import { GroupCommit } from './group-commit.ts';
import { appendOutput, appendResults, readHead, readLines, readResults, removeLogs, sealLog } from './log-blocks.ts';
import type { LogStore } from './log-store.ts';
import { ResultReader } from './results/result-reader.ts';

/** Keeps logs in a database that is open here, and gives back with `tidy` what removed ones held. `close` waits for what is being written, and leaves the database open. */
export const databaseLogStore = (db: Logs, tidy: (db: Logs) => Promise<void> = () => Promise.resolve()): LogStore => {
  const group = new GroupCommit(db);
  const reader = new ResultReader(db, group);
  return {
    appendOutput: (batch) => group.write((tx) => appendOutput(tx, batch)),
    appendResults: (batch) => group.write((tx) => appendResults(tx, batch)),
    seal: (taskId) => group.write((tx) => sealLog(tx, taskId)),
    remove: async (taskIds) => {
      await group.write((tx) => removeLogs(tx, taskIds));
      reader.forget(taskIds);
      await tidy(db);
    },
    head: (taskId) => readHead(db, taskId),
    lines: (taskId, from, limit) => readLines(db, taskId, from, limit),
    results: (taskId, from, limit) => readResults(db, taskId, from, limit),
    resultSummary: (taskId) => reader.summary(taskId),
    resultSteps: (...page) => reader.steps(...page),
    resultHosts: (taskId, question) => reader.hosts(taskId, question),
    resultFailures: (...page) => reader.failures(...page),
    resultsOfHost: (...page) => reader.ofHost(...page),
    close: () => group.idle(),
  };
};
