import type { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

const isOfGit = (path: string) => path.split(sep).includes('.git');

/**
 * Adds the names and contents of the files at a path. The `.git` of a plain folder is skipped, because it changes with each
 * clone.
 */
export const hashPath = async (hash: ReturnType<typeof createHash>, path: string, isPlain: boolean): Promise<void> => {
  if ((await stat(path)).isFile()) {
    hash.update(await readFile(path));
    return;
  }
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  for (const entry of entries
    .filter((one) => one.isFile() && !(isPlain && isOfGit(relative(path, join(one.parentPath, one.name)))))
    .sort((a, b) => (a.parentPath + a.name < b.parentPath + b.name ? -1 : 1))) {
    const file = join(entry.parentPath, entry.name);
    hash.update(`${relative(path, file)}\0`).update(await readFile(file));
  }
};
