import { existsSync } from 'node:fs';
import { finishRestore, isRestorePending } from '../backup/restored-folder.ts';
import { openState } from '../composition/storage.ts';
import { type Config, readConfig } from '../config.ts';
import type { Database } from '../database/database.ts';
import { lockFolder } from '../database/folder-lock.ts';
import type { DatabaseLocation } from '../database/open-database.ts';
import { hasState } from '../database/stored-copy.ts';
import { StartError } from '../start-error.ts';

export const locationOf = ({ databaseUrl, dataFolder }: Config): DatabaseLocation =>
  databaseUrl === undefined ? { folder: dataFolder } : { url: databaseUrl };

/** The error of a command whose settings name no database. */
export const noDatabase = ({ databaseUrl, dataFolder }: Config): StartError =>
  new StartError(
    databaseUrl === undefined
      ? `There is no Signalbox database in ${dataFolder}: set SIGNALBOX_DATA or DATABASE_URL to the value that the server uses, or start the server first.`
      : 'There is no Signalbox database at DATABASE_URL: set it to the value that the server uses, or start the server first.',
  );

/**
 * Reads the settings for a command. Finishes a restore that was killed near its end; changes nothing else.
 * @throws StartError when a required data folder is missing
 */
export const readCommandConfig = (): Config => {
  const config = readConfig();
  if (!existsSync(config.dataFolder)) {
    if (config.databaseUrl === undefined) throw noDatabase(config);
    return config;
  }
  if (isRestorePending(config.dataFolder)) {
    const unlock = lockFolder(config.dataFolder);
    finishRestore(config.dataFolder);
    unlock();
  }
  return config;
};

/**
 * Runs `work` with the state database of an installation, next to a running server or without one, and closes it. A
 * database of an older version is migrated first.
 * @throws StartError when there is no database
 */
export const withState = async <T>(work: (database: Database, config: Config) => Promise<T>): Promise<T> => {
  const config = readCommandConfig();
  if (!(await hasState(locationOf(config)))) throw noDatabase(config);
  const database = await openState(config, () => undefined);
  try {
    return await work(database, config);
  } finally {
    await database.close();
  }
};
