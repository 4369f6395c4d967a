import type { Config } from '../config.ts';
import type { Database, Logs } from '../database/database.ts';
import { openLogsFile } from '../database/logs-file.ts';
import { migrateAll } from '../database/migrate.ts';
import { openDatabase, protectFiles } from '../database/open-database.ts';
import { databaseLogStore } from '../logs/database-log.store.ts';
import type { LogStore } from '../logs/log-store.ts';
import { workerLogStore } from '../logs/worker-log.store.ts';
import { loadMasterKey, type MasterKey } from '../secrets/master-key.ts';
import { StartError } from '../start-error.ts';

export interface Storage {
  readonly database: Database;
  readonly logs: LogStore;
  readonly master: MasterKey;
  close(): Promise<void>;
}

/** Opens and migrates the state database only. Enough for commands that run next to a server. */
export const openState = async (config: Config, onLost: (error: Error) => void): Promise<Database> => {
  const location = config.databaseUrl === undefined ? { folder: config.dataFolder } : { url: config.databaseUrl };
  const database = openDatabase(location, onLost);
  let logsFile: Logs | undefined;
  try {
    if (database.capabilities.logsApart) logsFile = openLogsFile(config.dataFolder);
    await migrateAll(database, logsFile);
  } catch (error) {
    await database.close();
    const why = database.capabilities.whyNotOpened(error);
    throw why === undefined ? error : new StartError(why);
  } finally {
    await logsFile?.destroy();
  }
  return database;
};

/** Opens the state database, the logs and the master key. */
export const openStorage = async (config: Config, onLost: (error: Error) => void): Promise<Storage> => {
  const master = loadMasterKey(config.encryptionKey, config.dataFolder, config.otherEncryptionKeys);
  const database = await openState(config, onLost);
  const logs = database.capabilities.logsApart
    ? workerLogStore(config.dataFolder, onLost)
    : databaseLogStore(database.autocommit as unknown as Logs, database.capabilities);
  if (database.capabilities.logsApart) protectFiles(config.dataFolder);
  return {
    database,
    logs,
    master,
    close: async () => {
      await logs.close();
      await database.close();
    },
  };
};
