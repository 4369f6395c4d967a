import { createHash } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A reason why the server cannot start, in one sentence for the person at the terminal. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

const LOCK_FILE = 'server.lock';
/** Linux allows 108 bytes with the closing zero. */
const MAX_SOCKET_PATH = 107;

const startTimeOf = (pid: number): string | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold anything, so fields are counted after it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
};

const holder = (file: string): number | undefined => {
  const [pid, startTime] = readFileSync(file, 'utf8').trim().split(' ');
  const alive = startTimeOf(Number(pid));
  return alive !== undefined && alive === startTime ? Number(pid) : undefined;
};

/** Makes the folder where everything is kept, readable by nobody else. */
export const prepareDataFolder = (folder: string): void => {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK | constants.X_OK);
    chmodSync(folder, 0o700);
  } catch {
    throw new StartError(
      `The data folder ${folder} cannot be written: give this user the right to, or set SIGNALBOX_DATA to another folder.`,
    );
  }
};

/**
 * Locks the folder against a second server; a lock left by a killed one is recognised by its process being gone.
 * @returns gives the lock back
 * @throws StartError naming the process that holds it
 */
export const lockDataFolder = (folder: string): (() => void) => {
  const file = join(folder, LOCK_FILE);
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      const descriptor = openSync(file, 'wx', 0o600);
      writeSync(descriptor, `${process.pid} ${startTimeOf(process.pid) ?? ''}\n`);
      closeSync(descriptor);
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const pid = holder(file);
      if (pid !== undefined) {
        throw new StartError(
          `Another server (process ${pid}) uses the data folder ${folder}: stop it, or set SIGNALBOX_DATA to another folder.`,
        );
      }
      rmSync(file, { force: true });
    }
  }
  throw new StartError(`The data folder ${folder} is being locked by another server that starts now.`);
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
