import { createHash } from 'node:crypto';
import { accessSync, chmodSync, constants, existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { StartError } from './start-error.ts';

/** Linux allows 108 bytes with the closing zero. */
const MAX_SOCKET_PATH = 107;

/** Step by step: Node's own recursive way never returns below a folder that takes no new ones, such as /proc. */
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
 * Makes the folder where everything is kept, readable by no other user. A folder that exists keeps its mode.
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

/** Where the local runner dials in; in the temporary folder when the data folder's path is too long for a socket. */
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
