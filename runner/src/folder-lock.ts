import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { identityOf, isAlive, type ProcessIdentity, parseIdentity, writeIdentity } from './process/process-table.ts';

/** Maximum number of characters of a name that is made from the content of a file, which may not be a lock. */
const MAX_NAME = 60;

/** Delay before the next check while another process removes the same file, in milliseconds. */
const TURN_MS = 2;

export class FolderLocked extends Error {}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

/** Creates a link, which appears complete with its content or not at all. @returns false if the name exists */
const tryLink = (from: string, to: string): boolean => {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  }
};

/** The content of a lock; undefined if it does not exist. */
const read = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
};

/** The living process that a lock names. */
const holderOf = (text: string): ProcessIdentity | undefined => {
  const owner = parseIdentity(text);
  return owner && isAlive(owner) ? owner : undefined;
};

/**
 * Removes a file that names a dead process, if it still does. Only the holder of the removal right may do so: otherwise
 * one of two processes that start at the same moment could remove the new lock of the other. The removal right is a
 * file that names its holder, and a killed holder leaves it behind. There is one such file for each dead process, named
 * after its identity, which no later process has.
 */
const removeStale = (path: string, stale: string, staging: string): void => {
  const right = join(dirname(path), `lock.after-${stale.trim().replaceAll(/\W/g, '-').slice(0, MAX_NAME)}`);
  if (!tryLink(staging, right)) {
    const other = read(right);
    if (other !== undefined && !holderOf(other)) removeStale(right, other, staging);
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, TURN_MS);
    return;
  }
  try {
    if (read(path) === stale) rmSync(path, { force: true });
  } finally {
    rmSync(right, { force: true });
  }
};

/**
 * Locks a data folder for this process. The lock contains a pid and its start time, so that the lock of a killed
 * process is recognized, also when its pid is in use again.
 * @throws FolderLocked if another runner uses the folder
 */
export const lockFolder = (folder: string): (() => void) => {
  const path = join(folder, 'lock');
  const mine = identityOf(process.pid);
  if (!mine) throw new Error('This process is not in /proc.');
  const staging = `${path}.${process.pid}`;
  writeFileSync(staging, writeIdentity(mine), { mode: 0o600 });
  try {
    while (!tryLink(staging, path)) {
      const text = read(path);
      if (text === undefined) continue;
      const owner = holderOf(text);
      if (owner) {
        throw new FolderLocked(
          `Another runner (pid ${owner.pid}) already works in ${folder}; give this one a folder of its own.`,
        );
      }
      removeStale(path, text, staging);
    }
    return () => rmSync(path, { force: true });
  } finally {
    rmSync(staging, { force: true });
  }
};
