import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { type GitOptions, tryGit } from './git.ts';

/** Each clone makes a link for every loose object and searches every pack: above these numbers clones become slow. */
const MAX_LOOSE_OBJECTS = 2_000;
const MAX_PACKS = 50;

const entries = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

/** Approximate number of loose objects: names are hashes, so each of the 256 folders has about the same number. */
const countLoose = async (mirror: string): Promise<number> =>
  (await entries(join(mirror, 'objects', '17'))).length * 256;

const countPacks = async (mirror: string): Promise<number> =>
  (await entries(join(mirror, 'objects', 'pack'))).filter((name) => name.endsWith('.pack')).length;

/** Whether clones from a mirror are slow: each small fetch leaves loose objects, each large one a pack. */
export const isScattered = async (mirror: string): Promise<boolean> =>
  (await countLoose(mirror)) > MAX_LOOSE_OBJECTS || (await countPacks(mirror)) > MAX_PACKS;

/** Maximum time of packing, for which runs of the repository wait, in milliseconds. */
const PACKING_MS = 60_000;

/** Packing runs in parallel with runs, which need cores and memory more. */
const MODEST = ['-c', 'pack.threads=1', '-c', 'pack.windowMemory=256m', '-c', 'repack.writeBitmaps=false'];

/**
 * Whether the disk has space for all objects twice more: the old packs stay until the new one is complete, and runs
 * need some too.
 */
const hasSpace = async (mirror: string): Promise<boolean> => {
  let bytes = 0;
  for (const entry of await readdir(join(mirror, 'objects'), { recursive: true, withFileTypes: true }))
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size;
  const { bavail, bsize } = await statfs(mirror);
  return bavail * bsize > 2 * bytes;
};

/**
 * Packs the objects of a mirror, also unreferenced ones: a task may request an old commit again.
 * @returns whether the mirror is packed; if not, incomplete packs may be left
 */
export const packMirror = async (mirror: string, options: GitOptions): Promise<boolean> => {
  const repack = async (...how: readonly string[]): Promise<boolean> => {
    const args = [...MODEST, '-C', mirror, 'repack', '-q', '-d', ...how];
    return (await tryGit(args, { ...options, timeoutMs: PACKING_MS })).code === 0;
  };
  if (!(await hasSpace(mirror)) || !(await repack())) return false;
  // The first call can leave unreferenced objects, and too many packs.
  return !(await isScattered(mirror)) || (await repack('-a', '-k'));
};
