import { type MovedLogSource, withMovedLogs } from '../../backup/with-moved-logs.ts';
import type { Config } from '../../config.ts';
import type { Database, Logs } from '../../database/database.ts';
import { openLogsFile } from '../../database/logs-file.ts';
import { openDatabase } from '../../database/open-database.ts';
import type { Snapshot } from '../../database/snapshot.ts';
import { openExistingObjects } from '../../logs/objects/open-log-store.ts';
import { readKeyFile, readKeySetting } from '../../secrets/master-key.ts';
import { StartError } from '../../start-error.ts';
import { locationOf } from '../with-state.ts';

/** The moved logs of a backup. */
export interface BackedUpLogs {
  /** A snapshot in which all logs are in the database. */
  readonly of: (snapshot: Snapshot) => Snapshot;
  /** Counts the logs whose objects are missing, without those that were deleted after the moment of the backup. */
  readonly countMissing: () => Promise<number>;
}

/** The logs of this database as they are now. */
const openNow = (config: Config, { capabilities, autocommit }: Database): Logs =>
  capabilities.logsApart ? openLogsFile(config.dataFolder) : (autocommit as unknown as Logs);

const countNotRemoved = async ({ read }: Database, taskIds: ReadonlySet<number>): Promise<number> => {
  let count = 0;
  for (const id of taskIds) {
    const task = await read.selectFrom('task').select('log_removed').where('id', '=', id).executeTakeFirst();
    if (task?.log_removed === 0) count += 1;
  }
  return count;
};

/**
 * Runs `work` with the moved logs of the log store.
 * @throws StartError without the log store of this database, or if it does not answer
 */
export const withBackedUpLogs = async <T>(config: Config, work: (logs: BackedUpLogs) => Promise<T>): Promise<T> => {
  const master = readKeySetting(config.encryptionKey, config.otherEncryptionKeys) ?? readKeyFile(config.dataFolder);
  const database = openDatabase(locationOf(config));
  const now = openNow(config, database);
  try {
    const objects = master && (await openExistingObjects(config, database, master));
    if (!objects)
      throw new StartError('--with-moved-logs needs the log store and the encryption key: set them as for the server.');
    const missing = new Set<number>();
    const source: MovedLogSource = { objects, now, onMissing: (taskId) => missing.add(taskId) };
    return await work({
      of: (snapshot) => withMovedLogs(snapshot, source),
      countMissing: () => countNotRemoved(database, missing),
    });
  } finally {
    if (database.capabilities.logsApart) await now.destroy();
    await database.close();
  }
};
