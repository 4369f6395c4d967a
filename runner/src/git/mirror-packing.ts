import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { type GitOptions, tryGit } from './git.ts';

/** Each clone makes a link for every loose object, and looks into every pack: above these numbers that is felt. */
const MOST_LOOSE = 2_000;
const MOST_PACKS = 50;

const entries = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

/** About how many objects are loose: names are hashes, so each of the 256 folders has as many as any other. */
const countLoose = async (mirror: string): Promise<number> =>
  (await entries(join(mirror, 'objects', '17'))).length * 256;

const countPacks = async (mirror: string): Promise<number> =>
  (await entries(join(mirror, 'objects', 'pack'))).filter((name) => name.endsWith('.pack')).length;

/** Whether a mirror has become slow to clone from: each small fetch leaves loose objects, each large one a pack. */
export const isScattered = async (mirror: string): Promise<boolean> =>
  (await countLoose(mirror)) > MOST_LOOSE || (await countPacks(mirror)) > MOST_PACKS;

/** Runs of the repository wait that long at most, in milliseconds. */
const PACKING_MS = 60_000;

/** It is done beside runs, which need cores and memory more. */
const MODEST = ['-c', 'pack.threads=1', '-c', 'pack.windowMemory=256m', '-c', 'repack.writeBitmaps=false'];

/** Whether there is room for all objects twice more: the old packs stay until the new one is whole, and runs need some as well. */
const hasRoom = async (mirror: string): Promise<boolean> => {
  let bytes = 0;
  for (const entry of await readdir(join(mirror, 'objects'), { recursive: true, withFileTypes: true }))
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size;
  const { bavail, bsize } = await statfs(mirror);
  return bavail * bsize > 2 * bytes;
};

/**
 * Puts the objects of a mirror together, also those that no name leads to: a task may ask for an old commit again.
 * Answers whether it is no longer scattered; where not, halves of packs may be left.
 */
export const packMirror = async (mirror: string, options: GitOptions): Promise<boolean> => {
  const repack = async (...how: readonly string[]): Promise<boolean> => {
    const args = [...MODEST, '-C', mirror, 'repack', '-q', '-d', ...how];
    return (await tryGit(args, { ...options, timeoutMs: PACKING_MS })).code === 0;
  };
  if (!(await hasRoom(mirror)) || !(await repack())) return false;
  // What may be left: objects without a name, and too many packs.
  return !(await isScattered(mirror)) || (await repack('-a', '-k'));
};
