import { createHash } from 'node:crypto';
import { access, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { listFolder } from './list-folder.ts';
import { LogStoreError, type LogStoreProblem, type ObjectStore } from './object-store.ts';

const PROBLEMS: Readonly<Record<string, LogStoreProblem>> = {
  ENOENT: 'missing',
  ENOTDIR: 'missing',
  EACCES: 'refused',
  EPERM: 'refused',
  EROFS: 'refused',
  ENOSPC: 'full',
  EDQUOT: 'full',
};

/** The file until it is complete. */
const partOf = (file: string): string => `${file}.part`;

const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Creates the folders of an object. The folder of the store itself must exist: it may be a mount that is missing. */
const makeFolders = async (root: string, name: string): Promise<void> => {
  let folder = root;
  for (const part of name.split('/').slice(0, -1)) {
    const parent = folder;
    folder = join(folder, part);
    const isNew = await mkdir(folder, { mode: 0o700 }).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') return false;
        throw error;
      },
    );
    if (isNew) await syncFolder(parent);
  }
};

const writeSynced = async (path: string, bytes: Buffer, signal: AbortSignal | undefined): Promise<void> => {
  const handle = await open(path, 'w', 0o600);
  try {
    await handle.writeFile(bytes, { signal });
    await handle.sync();
  } finally {
    await handle.close();
  }
};

const readRange = async (path: string, offset: number, length: number): Promise<Buffer> => {
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, offset);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
};

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/**
 * Stores objects as files that only the user of the server may read. A folder of a network that does not answer blocks the
 * thread of each call, so servers use it in a process of its own.
 */
export const folderObjectStore = (root: string): ObjectStore => {
  const inFolder = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof LogStoreError) throw error;
      const { name, code = '', message } = error as NodeJS.ErrnoException;
      const problem = name !== 'AbortError' && (await exists(root)) ? (PROBLEMS[code] ?? 'away') : 'away';
      throw new LogStoreError(problem, `The log store ${root} could not ${what}: ${message}`, error);
    }
  };
  return {
    address: `folder:${root}`,
    put: (name, bytes, signal) =>
      inFolder('write', async () => {
        const file = join(root, name);
        await makeFolders(root, name);
        const part = partOf(file);
        try {
          await writeSynced(part, bytes, signal);
          if (digest(await readFile(part)) !== digest(bytes))
            throw new LogStoreError('changed', `${part} does not contain what was written.`);
          signal?.throwIfAborted();
          await rename(part, file);
        } catch (error) {
          await rm(part, { force: true }).catch(() => undefined);
          throw error;
        }
        await syncFolder(dirname(file));
      }),
    read: (name, offset, length) =>
      inFolder('read', async () => {
        const bytes = await readRange(join(root, name), offset, length);
        if (bytes.length < length) throw new LogStoreError('changed', `${join(root, name)} is too short.`);
        return bytes;
      }),
    list: (after) =>
      inFolder('list', async () => {
        await access(root);
        return await listFolder(root, after);
      }),
    remove: (name) =>
      inFolder('delete', async () => {
        await access(root);
        const file = join(root, name);
        await rm(partOf(file), { force: true });
        await rm(file, { force: true });
      }),
  };
};
