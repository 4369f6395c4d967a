import type { Kysely, Transaction } from 'kysely';
import { LOCK, type Logs } from '../database/database.ts';
import type { Capabilities } from '../database/dialects/capabilities.ts';
import { GroupCommit } from './group-commit.ts';
import { appendOutput, appendResults, closeLog, readHead, removeLogs } from './log-blocks.ts';
import { countLines, readLines, readLinesBefore, readResults } from './log-pages.ts';
import type { LogStore } from './log-store.ts';
import { ResultReader } from './results/result-reader.ts';

/** Written to standard error, from any thread. */
const warn = (error: unknown): void => {
  process.emitWarning(`The index of the results of a run is not stored: ${String(error)}`);
};

/**
 * Stores logs in an open database, which other servers may share. `close` waits for writes in progress and leaves the
 * database open.
 */
export const databaseLogStore = (db: Logs, capabilities: Pick<Capabilities, 'lockEach' | 'tidy'>): LogStore => {
  const group = new GroupCommit(db, (tx, taskIds) =>
    capabilities.lockEach(tx as unknown as Transaction<never>, LOCK.logs, taskIds),
  );
  const reader = new ResultReader(db, group, warn);
  return {
    appendOutput: (batch) => group.write([batch.taskId], (tx) => appendOutput(tx, batch)),
    appendResults: (batch) => group.write([batch.taskId], (tx) => appendResults(tx, batch)),
    closeLog: (taskId, lastLine) => group.write([taskId], (tx) => closeLog(tx, taskId, lastLine)),
    remove: async (taskIds) => {
      await group.write(taskIds, (tx) => removeLogs(tx, taskIds));
      reader.evict(taskIds);
      await capabilities.tidy(db as unknown as Kysely<never>);
    },
    head: (taskId) => readHead(db, taskId),
    storedLines: (taskId) => countLines(db, taskId),
    lines: (...page) => readLines(db, ...page),
    linesBefore: (...page) => readLinesBefore(db, ...page),
    results: (...page) => readResults(db, ...page),
    resultSummary: (taskId) => reader.summary(taskId),
    resultSteps: (...page) => reader.steps(...page),
    resultHosts: (taskId, query) => reader.hosts(taskId, query),
    resultFailures: (...page) => reader.failures(...page),
    resultClusters: (taskId) => reader.clusters(taskId),
    clusterHosts: (...page) => reader.hostsOfCluster(...page),
    resultsOfHost: (...page) => reader.ofHost(...page),
    close: () => group.idle(),
  };
};
