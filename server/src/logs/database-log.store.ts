import type { Kysely, Transaction } from 'kysely';
import { LOCK, type Logs } from '../database/database.ts';
import type { Capabilities } from '../database/dialects/capabilities.ts';
import { timesOfRuns } from '../times/template-times.ts';
import { GroupCommit } from './group-commit.ts';
import { appendOutput, appendResults, closeLog, readHead, removeLogs } from './log-blocks.ts';
import { findMatches } from './log-matches.ts';
import { countLines, readLines, readLinesBefore, readResults } from './log-pages.ts';
import { readLogSizes } from './log-sizes.ts';
import type { LogStore } from './log-store.ts';
import { type LogObjects, makeBlockSource } from './objects/block-source.ts';
import { endMove, moveLog, moveLogBack, moveSize } from './objects/move-log.ts';
import { removeLines } from './objects/remove-lines.ts';
import { ResultReader } from './results/result-reader.ts';

/** Bytes that one call of `tidy` returns to the disk, at most. */
const TIDIED_BYTES = 500_000;

/** Written to standard error, from any thread. */
const warn = (error: unknown): void => {
  process.emitWarning(`The index of the results of a run is not stored: ${String(error)}`);
};

/**
 * Stores logs in an open database, which other servers may share. `close` waits for writes in progress and leaves the
 * database open.
 * @param objects where moved logs are; undefined if none was moved
 */
export const databaseLogStore = (
  db: Logs,
  capabilities: Pick<Capabilities, 'lockEach' | 'tidy'>,
  objects?: LogObjects,
): LogStore => {
  const group = new GroupCommit(db, (tx, taskIds) =>
    capabilities.lockEach(tx as unknown as Transaction<never>, LOCK.logs, taskIds),
  );
  const source = makeBlockSource(db, objects);
  const reader = new ResultReader(source, group, warn);
  const stopping = new AbortController();
  const moves = { db, writes: group, objects, signal: stopping.signal };
  const tidy = () => capabilities.tidy(db as unknown as Kysely<never>);
  return {
    appendOutput: (batch) => group.write([batch.taskId], (tx) => appendOutput(tx, batch)),
    appendResults: (batch) => group.write([batch.taskId], (tx) => appendResults(tx, batch)),
    closeLog: (taskId, lastLine) => group.write([taskId], (tx) => closeLog(tx, taskId, lastLine)),
    remove: async (taskIds) => {
      await group.write(taskIds, (tx) => removeLogs(tx, taskIds));
      reader.evict(taskIds);
      await tidy();
    },
    removeLines: async (taskId) => {
      await removeLines(moves, taskId);
      await tidy();
    },
    sizes: (taskIds) => readLogSizes(db, taskIds),
    head: (taskId) => readHead(db, taskId),
    storedLines: (taskId) => countLines(db, taskId),
    lines: (...page) => readLines(source, ...page),
    linesBefore: (...page) => readLinesBefore(source, ...page),
    search: (...of) => findMatches(source, ...of),
    results: (...page) => readResults(source, ...page),
    resultSummary: (taskId) => reader.summary(taskId),
    resultSteps: (...page) => reader.steps(...page),
    resultHosts: (taskId, query) => reader.hosts(taskId, query),
    resultFailures: (...page) => reader.failures(...page),
    resultClusters: (taskId) => reader.clusters(taskId),
    clusterHosts: (...page) => reader.hostsOfCluster(...page),
    compareRuns: (...runs) => reader.compare(...runs),
    compareLogs: (...logs) => reader.compareLogs(...logs),
    resultNotes: (...page) => reader.notes(...page),
    resultTimes: (taskId) => reader.times(taskId),
    timesOfRuns,
    resultTimeline: (taskId, query) => reader.timeline(taskId, query),
    runSoFar: (...page) => reader.soFar(...page),
    isWorkingOn: (...of) => reader.isWorkingOn(...of),
    resultsOfHost: (...page) => reader.ofHost(...page),
    moveSize: (taskId) => moveSize(db, taskId),
    move: async (taskId, name) => {
      const { bytes = 0 } = (await moveSize(db, taskId)) ?? {};
      const isMoved = await moveLog(moves, taskId, name);
      // Once for each part of the freed space, so that the file shrinks as much as the log was large.
      for (let freed = 0; freed <= bytes; freed += TIDIED_BYTES) await tidy();
      return isMoved;
    },
    stopMoves: async () => stopping.abort(),
    endMove: (taskId, name) => endMove(moves, taskId, name),
    moveBack: (taskId) => moveLogBack(moves, taskId),
    close: () => group.idle(),
  };
};
