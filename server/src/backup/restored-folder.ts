import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { LOGS_FILE } from '../database/logs-file.ts';
import { STATE_FILE } from '../database/open-database.ts';
import { KEY_FILE } from '../secrets/master-key.ts';

/** Where what is restored is made; nothing of it counts. */
const PART = 'restore.part';
/** The same folder once it is whole: from then on all of it counts, though it is not in its place yet. */
const WHOLE = 'restored';

const syncFolder = (folder: string): void => {
  const descriptor = openSync(folder, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
};

/** Makes an empty folder for what is being restored; what a killed restore left there is removed. */
export const makeRestoreFolder = (dataFolder: string): string => {
  const folder = join(dataFolder, PART);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  return folder;
};

export const dropRestoreFolder = (dataFolder: string): void =>
  rmSync(join(dataFolder, PART), { recursive: true, force: true });

/** Makes all that is in the folder count, by one rename, and moves it to its place. */
export const commitRestore = (dataFolder: string): void => {
  syncFolder(join(dataFolder, PART));
  renameSync(join(dataFolder, PART), join(dataFolder, WHOLE));
  syncFolder(dataFolder);
  finishRestore(dataFolder);
};

/** Whether a restore was killed after all of it counted, and before all of it was in its place. */
export const isRestorePending = (dataFolder: string): boolean => existsSync(join(dataFolder, WHOLE));

/** Moves to its place what counts and is not there yet. Nobody may have the files open: the folder is to be locked. */
export const finishRestore = (dataFolder: string): void => {
  if (!isRestorePending(dataFolder)) return;
  for (const name of [KEY_FILE, LOGS_FILE, STATE_FILE]) {
    const whole = join(dataFolder, WHOLE, name);
    if (!existsSync(whole)) continue;
    // The journal of the file before would be taken for one of this file.
    for (const suffix of ['-wal', '-shm', '-journal']) rmSync(join(dataFolder, name + suffix), { force: true });
    renameSync(whole, join(dataFolder, name));
  }
  syncFolder(dataFolder);
  rmSync(join(dataFolder, WHOLE), { recursive: true, force: true });
};
