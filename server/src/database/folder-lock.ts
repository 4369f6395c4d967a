import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from '../start-error.ts';
import { sqliteCapabilities } from './dialects/sqlite/sqlite-capabilities.ts';

const LOCK_FILE = 'server.lock';

/** Writes down who holds the lock; whoever is refused reads it. */
const signAndLock = (database: DatabaseSync): void => {
  database.exec('begin immediate');
  database.exec('create table if not exists holder (pid integer)');
  database.exec('delete from holder');
  database.prepare('insert into holder values (?)').run(process.pid);
  database.exec('commit');
  // Held until the process ends, however it ends: the kernel takes the lock back, so none is ever left behind.
  database.exec('begin immediate');
};

const BUSY = 5;
/** A disk that is full or broken is no other server. */
const isHeld = (error: unknown): boolean => ((error as { errcode?: number }).errcode ?? 0) % 256 === BUSY;

const holderOf = (database: DatabaseSync): string => {
  try {
    const row = database.prepare('select pid from holder').get();
    return row ? ` (process ${String(row.pid)})` : '';
  } catch {
    // It is just being written.
    return '';
  }
};

/**
 * Locks the folder against a second server, for as long as this process lives.
 * @param advice end of the error message: what to do when the folder is locked
 * @returns gives the lock back
 * @throws StartError naming the process that holds it
 */
export const lockFolder = (
  folder: string,
  advice = 'stop it, or set SIGNALBOX_DATA to another folder.',
): (() => void) => {
  const file = join(folder, LOCK_FILE);
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    chmodSync(file, 0o600);
    // It protects no data, so it need not wait for the disk.
    database.exec('pragma synchronous = off');
    database.exec('pragma journal_mode = memory');
    signAndLock(database);
  } catch (error) {
    const holder = holderOf(database);
    database.close();
    if (!sqliteCapabilities.isUnavailable(error)) throw error;
    if (!isHeld(error)) throw new StartError(`The data folder ${folder} cannot be used (${(error as Error).message}).`);
    throw new StartError(`Another server or command${holder} uses the data folder ${folder}: ${advice}`);
  }
  return () => database.close();
};
