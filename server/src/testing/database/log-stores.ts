import { onTestFinished } from 'vitest';
import { openState } from '../../composition/storage.ts';
import { readConfig } from '../../config.ts';
import type { LogStore } from '../../logs/log-store.ts';
import { openLogs } from '../../logs/open-logs.ts';
import type { MakeLocation } from './databases.ts';

/** Creates the log store of the database. It can be closed and reopened, and is deleted after the test. */
export const openLogStore = async (makeLocation: MakeLocation): Promise<LogStore & { reopen(): Promise<LogStore> }> => {
  const location = await makeLocation();
  const config = readConfig({
    SIGNALBOX_DATA: location.folder,
    ...(location.databaseUrl ? { DATABASE_URL: location.databaseUrl } : {}),
  });
  const database = await openState(config, () => undefined);
  const open = (): LogStore => openLogs(config, database, undefined);
  let store = open();
  onTestFinished(async () => {
    await store.close();
    await database.close();
  });
  return {
    appendOutput: (batch) => store.appendOutput(batch),
    appendResults: (batch) => store.appendResults(batch),
    closeLog: (...end) => store.closeLog(...end),
    remove: (ids) => store.remove(ids),
    sizes: (ids) => store.sizes(ids),
    removeLines: (id) => store.removeLines(id),
    head: (id) => store.head(id),
    storedLines: (id) => store.storedLines(id),
    lines: (...range) => store.lines(...range),
    linesBefore: (...range) => store.linesBefore(...range),
    search: (...of) => store.search(...of),
    results: (...range) => store.results(...range),
    resultSummary: (id) => store.resultSummary(id),
    resultSteps: (...page) => store.resultSteps(...page),
    resultHosts: (id, query) => store.resultHosts(id, query),
    resultFailures: (...page) => store.resultFailures(...page),
    resultClusters: (id) => store.resultClusters(id),
    clusterHosts: (...page) => store.clusterHosts(...page),
    compareRuns: (...runs) => store.compareRuns(...runs),
    compareLogs: (...logs) => store.compareLogs(...logs),
    resultNotes: (...page) => store.resultNotes(...page),
    resultTimes: (id) => store.resultTimes(id),
    timesOfRuns: (runs) => store.timesOfRuns(runs),
    resultTimeline: (id, query) => store.resultTimeline(id, query),
    runSoFar: (...page) => store.runSoFar(...page),
    isWorkingOn: (...of) => store.isWorkingOn(...of),
    resultsOfHost: (...page) => store.resultsOfHost(...page),
    moveSize: (id) => store.moveSize(id),
    move: (...move) => store.move(...move),
    stopMoves: () => store.stopMoves(),
    endMove: (...move) => store.endMove(...move),
    moveBack: (id) => store.moveBack(id),
    close: () => store.close(),
    reopen: async () => {
      await store.close();
      store = open();
      return store;
    },
  };
};
