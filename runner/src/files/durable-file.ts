import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Makes the content of a file, or the names in a folder, survive a power failure. */
export const syncFile = async (path: string): Promise<void> => {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

const writeAndSync = async (handle: FileHandle, data: string) => {
  try {
    await handle.writeFile(data);
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Writes a file atomically, so that it is complete or missing after a power failure. Mode 0600. */
export const writeDurably = async (path: string, data: string): Promise<void> => {
  const staged = `${path}.new`;
  await rm(staged, { force: true });
  await writeAndSync(await open(staged, 'wx', 0o600), data);
  await rename(staged, path);
  await syncFile(dirname(path));
};
