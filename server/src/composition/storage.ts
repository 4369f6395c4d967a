import type { Config } from '../config.ts';
import type { Database, Logs } from '../database/database.ts';
import { openLogsFile } from '../database/logs-file.ts';
import { migrateAll } from '../database/migrate.ts';
import { openDatabase, protectFiles } from '../database/open-database.ts';
import { databaseLogStore } from '../logs/database-log.store.ts';
import type { LogStore } from '../logs/log-store.ts';
import { type OpenLogStore, openLogStore } from '../logs/objects/open-log-store.ts';
import { openLogObjects } from '../logs/objects/open-object-store.ts';
import { startLogWorker, workerLogStore } from '../logs/worker-log.store.ts';
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

const openLogs = (
  { dataFolder }: Config,
  { capabilities, autocommit }: Database,
  logStore: OpenLogStore | undefined,
  onLost: (error: Error) => void,
): LogStore =>
  capabilities.logsApart
    ? workerLogStore(dataFolder, onLost, (folder) => startLogWorker(folder, logStore?.moved))
    : databaseLogStore(autocommit as unknown as Logs, capabilities, openLogObjects(logStore?.moved));

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
  const logs = openLogs(config, database, logStore, onLost);
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
