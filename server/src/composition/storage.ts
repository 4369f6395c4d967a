import type { Config } from '../config.ts';
import type { Database, Logs } from '../database/database.ts';
import { openLogsFile } from '../database/logs-file.ts';
import { migrateAll } from '../database/migrate.ts';
import { openDatabase, protectFiles } from '../database/open-database.ts';
import type { LogStore } from '../logs/log-store.ts';
import { type OpenLogStore, openLogStore } from '../logs/objects/open-log-store.ts';
import { openLogs } from '../logs/open-logs.ts';
import { loadMasterKey, type MasterKey } from '../secrets/master-key.ts';
import { StartError } from '../start-error.ts';

export interface Storage {
  readonly database: Database;
  readonly logs: LogStore;
  /** Undefined if all logs are in the database. */
  readonly logStore: OpenLogStore | undefined;
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

export interface StorageEvents {
  readonly onLost: (error: Error) => void;
  /** Called if the log store does not answer at the start. */
  readonly onLogStoreAway: (error: unknown) => void;
}

/** Opens the state database, the logs and the master key. */
export const openStorage = async (config: Config, { onLost, onLogStoreAway }: StorageEvents): Promise<Storage> => {
  const master = loadMasterKey(config.encryptionKey, config.dataFolder, config.otherEncryptionKeys);
  const database = await openState(config, onLost);
  let logStore: OpenLogStore | undefined;
  try {
    logStore = await openLogStore(config, database, master, onLogStoreAway);
  } catch (error) {
    await database.close();
    throw error;
  }
  const logs = openLogs(config, database, logStore?.moved, onLost);
  if (database.capabilities.logsApart) protectFiles(config.dataFolder);
  return {
    database,
    logs,
    logStore,
    master,
    close: async () => {
      await logs.close();
      await database.close();
    },
  };
};
