import { chmod, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

const isDenied = (fault: unknown): boolean =>
  fault instanceof Error && 'code' in fault && ['EACCES', 'EPERM', 'ENOTEMPTY'].includes(String(fault.code));

/** Lets this process into every folder of a tree; links are not followed. */
const openFolders = async (folder: string): Promise<void> => {
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await openFolders(join(folder, entry.name));
};

/**
 * Removes a file or a folder with all that is in it, also from folders that a program of the run has locked against
 * changes, as some keep their caches. What is not there is removed.
 * @throws Error where something in it belongs to another user
 */
export const removeTree = async (path: string): Promise<void> => {
  const remove = () => rm(path, { recursive: true, force: true, maxRetries: 3 });
  try {
    await remove();
  } catch (fault) {
    if (!isDenied(fault)) throw fault;
    await openFolders(path).catch(() => undefined);
    await remove();
  }
};
