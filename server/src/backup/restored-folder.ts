import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { LOGS_FILE } from '../database/file-names.ts';
import { STATE_FILE } from '../database/open-database.ts';
import { KEY_FILE } from '../secrets/master-key.ts';

/** Folder in which a restore is prepared. Its content has no effect. */
const PART = 'restore.part';
/**
 * The same folder after the restore is complete. Its files replace those of the data folder, even if the process was
 * killed before moving them.
 */
const WHOLE = 'restored';

const syncFolder = (folder: string): void => {
  const descriptor = openSync(folder, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
};

/** Creates an empty folder for a restore. Deletes what a killed restore left over. */
export const makeRestoreFolder = (dataFolder: string): string => {
  const folder = join(dataFolder, PART);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  return folder;
};

export const deleteRestoreFolder = (dataFolder: string): void =>
  rmSync(join(dataFolder, PART), { recursive: true, force: true });

/** Commits a restore by one rename, then moves its files into the data folder. */
export const commitRestore = (dataFolder: string): void => {
  syncFolder(join(dataFolder, PART));
  renameSync(join(dataFolder, PART), join(dataFolder, WHOLE));
  syncFolder(dataFolder);
  finishRestore(dataFolder);
};

/** Whether a committed restore was killed before all files were moved. */
export const isRestorePending = (dataFolder: string): boolean => existsSync(join(dataFolder, WHOLE));

/**
 * Moves the remaining files of a committed restore. The folder must be locked, so that no process has the files open.
 */
export const finishRestore = (dataFolder: string): void => {
  if (!isRestorePending(dataFolder)) return;
  for (const name of [KEY_FILE, LOGS_FILE, STATE_FILE]) {
    const whole = join(dataFolder, WHOLE, name);
    if (!existsSync(whole)) continue;
    // SQLite would apply the journal of the old file to the new file.
    for (const suffix of ['-wal', '-shm', '-journal']) rmSync(join(dataFolder, name + suffix), { force: true });
    renameSync(whole, join(dataFolder, name));
  }
  syncFolder(dataFolder);
  rmSync(join(dataFolder, WHOLE), { recursive: true, force: true });
};
