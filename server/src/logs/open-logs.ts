import type { Config } from '../config.ts';
import type { Database, Logs } from '../database/database.ts';
import { databaseLogStore } from './database-log.store.ts';
import type { LogStore } from './log-store.ts';
import type { MovedLogs } from './log-worker.messages.ts';
import { openLogObjects } from './objects/open-object-store.ts';
import { startLogWorker, workerLogStore } from './worker-log.store.ts';

/** What reads whole logs or results, and the removal, after which the reader no longer needs the index of a run. */
const readsOf = (worker: LogStore) => ({
  remove: worker.remove,
  search: worker.search,
  resultSummary: worker.resultSummary,
  resultSteps: worker.resultSteps,
  resultHosts: worker.resultHosts,
  resultFailures: worker.resultFailures,
  resultClusters: worker.resultClusters,
  clusterHosts: worker.clusterHosts,
  compareRuns: worker.compareRuns,
  compareLogs: worker.compareLogs,
  resultNotes: worker.resultNotes,
  resultTimes: worker.resultTimes,
  timesOfRuns: worker.timesOfRuns,
  resultTimeline: worker.resultTimeline,
  runSoFar: worker.runSoFar,
  isWorkingOn: worker.isWorkingOn,
  resultsOfHost: worker.resultsOfHost,
});

/**
 * Opens the logs of a database. SQLite files are used on a worker thread. PostgreSQL is used on this thread, except for
 * searches and the results of runs.
 * @param onLost called with the reason why a worker died
 */
export const openLogs = (
  { dataFolder, databaseUrl }: Pick<Config, 'dataFolder' | 'databaseUrl'>,
  { capabilities, autocommit }: Pick<Database, 'capabilities' | 'autocommit'>,
  moved: MovedLogs | undefined,
  onLost?: (error: Error) => void,
): LogStore => {
  const location = databaseUrl === undefined ? { folder: dataFolder } : { url: databaseUrl };
  const worker = workerLogStore(location, onLost, (used) => startLogWorker(used, moved));
  if (capabilities.logsApart) return worker;
  const store = databaseLogStore(autocommit as unknown as Logs, capabilities, openLogObjects(moved));
  return {
    ...store,
    ...readsOf(worker),
    close: async () => {
      await Promise.all([store.close(), worker.close()]);
    },
  };
};
