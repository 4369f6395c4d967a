import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { identityOf, isAlive, parseIdentity, writeIdentity } from './process/process-table.ts';

export class FolderLocked extends Error {}

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
    for (;;) {
      try {
        // A link appears whole, with its content, or not at all.
        linkSync(draft, path);
        return () => rmSync(path, { force: true });
      } catch (fault) {
        if (!(fault instanceof Error && 'code' in fault && fault.code === 'EEXIST')) throw fault;
      }
      const owner = readOwner(path);
      if (owner && isAlive(owner)) {
        throw new FolderLocked(
          `Another runner (pid ${owner.pid}) already works in ${folder}; give this one a folder of its own.`,
        );
      }
      rmSync(path, { force: true });
    }
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
