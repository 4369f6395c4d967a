import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Makes what a file holds survive a power cut, or, of a folder, the names in it. */
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

/** Writes a file that is there as a whole or not at all, also after a power cut. Mode 0600. */
export const writeDurably = async (path: string, data: string): Promise<void> => {
  const draft = `${path}.new`;
  await rm(draft, { force: true });
  await writeAndSync(await open(draft, 'wx', 0o600), data);
  await rename(draft, path);
  await syncFile(dirname(path));
};
