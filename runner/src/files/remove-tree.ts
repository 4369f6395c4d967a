import { chmod, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

const isDenied = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['EACCES', 'EPERM', 'ENOTEMPTY'].includes(String(error.code));

/** Makes every folder of a tree accessible to this process. Links are not followed. */
const openFolders = async (folder: string): Promise<void> => {
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await openFolders(join(folder, entry.name));
};

/**
 * Removes a file or a folder with its content, also if a program made folders read-only, as some do with caches. Does nothing
 * if the path does not exist.
 * @throws Error if something in it belongs to another user
 */
export const removeTree = async (path: string): Promise<void> => {
  const remove = () => rm(path, { recursive: true, force: true, maxRetries: 3 });
  try {
    await remove();
  } catch (error) {
    if (!isDenied(error)) throw error;
    await openFolders(path).catch(() => undefined);
    await remove();
  }
};
