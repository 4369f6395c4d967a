import { createHash } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { seedOfTest } from './seed.ts';
import { seededRandom } from './seeded-random.ts';

/** Whether this run tests everything (`npm run test:full`) instead of samples. */
export const isWholeRun = (): boolean => process.env.SIGNALBOX_TEST_WHOLE === '1';

/** Random numbers from the seed of the run and a name. */
export const randomFor = (name: string): (() => number) =>
  seededRandom(seedOfTest() ^ createHash('sha256').update(name).digest().readInt32LE());

/** Writes the size of a sample to the file that `npm test` reads for its summary. */
export const recordSample = (name: string, tested: number, all: number): void => {
  const file = process.env.SIGNALBOX_TEST_SAMPLES;
  if (file) appendFileSync(file, `${JSON.stringify({ name, tested, all })}\n`);
};

/** Returns the items in a random order. The same seed and name return the same order. */
export const shuffle = <T>(name: string, items: readonly T[]): readonly T[] => {
  const random = randomFor(name);
  const draws = items.map((item) => ({ item, draw: random() }));
  return draws.toSorted((a, b) => a.draw - b.draw).map(({ item }) => item);
};

/**
 * Returns a random sample of the items, in their order. The same seed and name draw the same sample. `npm run test:full`
 * gets all items.
 * @param name unique name such as `screens: wide`. The summary of `npm test` adds up the samples with the same text before
 * the colon
 * @param size number of items to draw
 */
export const drawSample = <T>(name: string, items: readonly T[], size: number): readonly T[] => {
  const isWhole = isWholeRun() || size >= items.length;
  recordSample(name, isWhole ? items.length : size, items.length);
  if (isWhole) return items;
  const chosen = new Set(shuffle(name, [...items.keys()]).slice(0, size));
  return items.filter((_, index) => chosen.has(index));
};
