import { createHash } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { seedOfTest } from './seed.ts';
import { seededRandom } from './seeded-random.ts';

/** Whether this run tests everything (`npm run test:full`) instead of samples. */
export const isWholeRun = (): boolean => process.env.SIGNALBOX_TEST_WHOLE === '1';

/** Random numbers for one purpose: they follow from the seed of the run and the name. */
export const randomFor = (name: string): (() => number) =>
  seededRandom(seedOfTest() ^ createHash('sha256').update(name).digest().readInt32LE());

/** Tells the end of `npm test` what was tested in part. */
const record = (name: string, tested: number, all: number): void => {
  const file = process.env.SIGNALBOX_TEST_SAMPLES;
  if (file) appendFileSync(file, `${JSON.stringify({ name, tested, all })}\n`);
};

/**
 * Some of the items, in their order: other ones in each run, the same ones for the same seed. A whole run gets all.
 * @param name what the items are, a colon and which of them: `npm test` adds up what has the same words before the colon
 */
export const drawSample = <T>(name: string, items: readonly T[], size: number): readonly T[] => {
  const isWhole = isWholeRun() || size >= items.length;
  record(name, isWhole ? items.length : size, items.length);
  if (isWhole) return items;
  const random = randomFor(name);
  const drawn = items.map((_, index) => ({ index, draw: random() })).toSorted((a, b) => a.draw - b.draw);
  const chosen = new Set(drawn.slice(0, size).map(({ index }) => index));
  return items.filter((_, index) => chosen.has(index));
};
