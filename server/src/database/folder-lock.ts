import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from '../start-error.ts';
import { sqliteCapabilities } from './dialects/sqlite/sqlite-capabilities.ts';

const LOCK_FILE = 'server.lock';

/** Stores the holder of the lock for error messages. */
const signAndLock = (database: DatabaseSync): void => {
  database.exec('begin immediate');
  database.exec('create table if not exists holder (pid integer)');
  database.exec('delete from holder');
  database.prepare('insert into holder values (?)').run(process.pid);
  database.exec('commit');
  // Locked until the process ends. The kernel releases it however the process ends.
  database.exec('begin immediate');
};

const BUSY = 5;
/** Errors such as a full disk do not mean that another server holds the lock. */
const isLocked = (error: unknown): boolean => ((error as { errcode?: number }).errcode ?? 0) % 256 === BUSY;

const holderOf = (database: DatabaseSync): string => {
  try {
    const row = database.prepare('select pid from holder').get();
    return row ? ` (process ${String(row.pid)})` : '';
  } catch {
    // Another process is writing the file.
    return '';
  }
};

/**
 * Locks the folder for this process.
 * @param advice end of the error message: what to do when the folder is locked
 * @returns a function that releases the lock
 * @throws StartError naming the process that holds the lock
 */
export const lockFolder = (
  folder: string,
  advice = 'stop it, or set SIGNALBOX_DATA to another folder.',
): (() => void) => {
  const file = join(folder, LOCK_FILE);
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    chmodSync(file, 0o600);
    // The file protects no data, so it need not be synced.
    database.exec('pragma synchronous = off');
    database.exec('pragma journal_mode = memory');
    signAndLock(database);
  } catch (error) {
    const holder = holderOf(database);
    database.close();
    if (!sqliteCapabilities.isUnavailable(error)) throw error;
    if (!isLocked(error))
      throw new StartError(`The data folder ${folder} cannot be used (${(error as Error).message}).`);
    throw new StartError(`Another server or command${holder} uses the data folder ${folder}: ${advice}`);
  }
  return () => database.close();
};
