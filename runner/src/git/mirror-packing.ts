import { readdir } from 'node:fs/promises';
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

/** Puts the objects of a mirror together, also those that no name leads to: a task may ask for an old commit again. */
export const packMirror = async (mirror: string, options: GitOptions): Promise<void> => {
  const repack = (...how: readonly string[]) => tryGit(['-C', mirror, 'repack', '-q', '-d', ...how], options);
  await repack();
  // What was left: objects without a name, and too many packs.
  if (await isScattered(mirror)) await repack('-a', '-k');
};
