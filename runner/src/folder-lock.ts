import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { identityOf, isAlive, parseIdentity, writeIdentity } from './process/process-table.ts';

export class FolderLocked extends Error {}

/** Makes a link, which appears whole, with its content, or not at all. False where the name is taken. */
const tryLink = (from: string, to: string): boolean => {
  try {
    linkSync(from, to);
    return true;
  } catch (fault) {
    if (fault instanceof Error && 'code' in fault && fault.code === 'EEXIST') return false;
    throw fault;
  }
};

/**
 * Removes a file that names a process, if that is gone. Only whoever has the second lock does so, and looks under it:
 * otherwise one of two that start at the same moment would remove what the other has just made.
 */
const removeStale = (path: string, draft: string): void => {
  const second = `${path}.takeover`;
  if (!tryLink(draft, second)) {
    const other = readOwner(second);
    if (!other || !isAlive(other)) rmSync(second, { force: true });
    return;
  }
  try {
    const owner = readOwner(path);
    if (!owner || !isAlive(owner)) rmSync(path, { force: true });
  } finally {
    rmSync(second, { force: true });
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
      const owner = readOwner(path);
      if (owner && isAlive(owner)) {
        throw new FolderLocked(
          `Another runner (pid ${owner.pid}) already works in ${folder}; give this one a folder of its own.`,
        );
      }
      removeStale(path, draft);
    }
    return () => rmSync(path, { force: true });
  } finally {
    rmSync(draft, { force: true });
  }
};

const readOwner = (path: string) => {
  try {
    return parseIdentity(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
};
