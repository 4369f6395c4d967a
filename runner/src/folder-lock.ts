import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { identityOf, isAlive, type ProcessIdentity, parseIdentity, writeIdentity } from './process/process-table.ts';

/** Most characters of a name that is made of what a file says: it may be no lock of ours. */
const MAX_NAME = 60;

/** How long another process that removes the same is waited for before the next look, in milliseconds. */
const TURN_MS = 2;

export class FolderLocked extends Error {}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

/** Makes a link, which appears whole, with its content, or not at all. False where the name is taken. */
const tryLink = (from: string, to: string): boolean => {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  }
};

/** What a file says; undefined when it is gone. */
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
 * Removes a file that names a dead process, if it still does. Only who holds the right to do so may: otherwise one of two
 * that start at the same moment would remove what the other has just made. The right is a file that names its holder,
 * and is itself left behind by one that was killed; each dead process has its own, because it never comes back.
 */
const removeStale = (path: string, stale: string, draft: string): void => {
  const right = join(dirname(path), `lock.after-${stale.trim().replaceAll(/\W/g, '-').slice(0, MAX_NAME)}`);
  if (!tryLink(draft, right)) {
    const other = read(right);
    if (other !== undefined && !holderOf(other)) removeStale(right, other, draft);
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
 * Takes a data folder for this process. The lock names a process and when it began, so that one left by a killed process
 * is recognised, also when its pid is in use again. Throws FolderLocked when another runner has it.
 */
export const lockFolder = (folder: string): (() => void) => {
  const path = join(folder, 'lock');
  const mine = identityOf(process.pid);
  if (!mine) throw new Error('This process is not in /proc.');
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, writeIdentity(mine), { mode: 0o600 });
  try {
    while (!tryLink(draft, path)) {
      const text = read(path);
      if (text === undefined) continue;
      const owner = holderOf(text);
      if (owner) {
        throw new FolderLocked(
          `Another runner (pid ${owner.pid}) already works in ${folder}; give this one a folder of its own.`,
        );
      }
      removeStale(path, text, draft);
    }
    return () => rmSync(path, { force: true });
  } finally {
    rmSync(draft, { force: true });
  }
};
