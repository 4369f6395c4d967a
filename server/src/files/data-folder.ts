import { createHash } from 'node:crypto';
import { accessSync, chmodSync, constants, existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { StartError } from '../start-error.ts';

/** Linux allows 108 bytes including the terminating zero. */
const MAX_SOCKET_PATH = 107;

/**
 * Creates one folder after the other: the recursive `mkdir` of Node never returns below a read-only file system such
 * as /proc.
 */
const makeFolder = (folder: string): void => {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
};

const notWritable = (folder: string): StartError =>
  new StartError(
    `The data folder ${folder} cannot be written: give this user the right to, or set SIGNALBOX_DATA to another folder.`,
  );

/**
 * Creates the data folder, readable only by this user. An existing folder keeps its mode.
 * @throws StartError when this process cannot write to it
 */
export const makeDataFolder = (folder: string): void => {
  try {
    makeFolder(folder);
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch {
    throw notWritable(folder);
  }
};

/**
 * Sets the mode of the data folder. Only the server that holds the folder's lock may call it: a command without the
 * setting SIGNALBOX_RUN_AS would lock out the user of running tasks.
 * @param isEntered whether another user must reach the workspaces in the folder
 */
export const setDataFolderMode = (folder: string, isEntered: boolean): void => {
  try {
    chmodSync(folder, isEntered ? 0o711 : 0o700);
  } catch {
    throw notWritable(folder);
  }
};

/**
 * Path of the socket for the local runner. It is in the temporary folder when the path of the data folder is too
 * long.
 */
export const runnerSocketPath = (folder: string): string => {
  const path = join(folder, 'runner.sock');
  if (Buffer.byteLength(path) <= MAX_SOCKET_PATH) return path;
  const own = join(
    tmpdir(),
    `signalbox-${process.getuid?.() ?? 0}-${createHash('sha256').update(folder).digest('hex').slice(0, 12)}`,
  );
  mkdirSync(own, { recursive: true, mode: 0o700 });
  return join(own, 'runner.sock');
};
