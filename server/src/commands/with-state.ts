import { finishRestore, isRestorePending } from '../backup/restored-folder.ts';
import { openState } from '../composition/storage.ts';
import { type Config, readConfig } from '../config.ts';
import { prepareDataFolder } from '../data-folder.ts';
import type { Database } from '../database/database.ts';
import { lockFolder } from '../database/folder-lock.ts';
import type { DatabaseLocation } from '../database/open-database.ts';

export const locationOf = ({ databaseUrl, dataFolder }: Config): DatabaseLocation =>
  databaseUrl === undefined ? { folder: dataFolder } : { url: databaseUrl };

/** The settings, once what they name is in order: a restore that was killed near its end is brought to it. */
export const readSettledConfig = (): Config => {
  const config = readConfig();
  prepareDataFolder(config.dataFolder, config.runAs !== '');
  if (isRestorePending(config.dataFolder)) {
    const unlock = lockFolder(config.dataFolder);
    finishRestore(config.dataFolder);
    unlock();
  }
  return config;
};

/**
 * Does something with the state database, beside a running server or without one, and closes it. An older database is
 * brought to the newest shape first.
 */
export const withState = async <T>(work: (database: Database, config: Config) => Promise<T>): Promise<T> => {
  const config = readSettledConfig();
  const database = await openState(config, () => undefined);
  try {
    return await work(database, config);
  } finally {
    await database.close();
  }
};
