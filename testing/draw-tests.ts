import { randomFor, recordSample, shuffle } from './sample.ts';

/** The promises that a test proves, by their numbers in its full name: `[R5]`. */
const promisesOf = (name: string): string[] => [...name.matchAll(/\[([RS]\d+)\]/g)].map(([, promise = '']) => promise);

/**
 * Returns a random sample of the tests of a file. It may be empty; over many runs its size is the share of the tests.
 * @param file path of the file from the root
 * @param names full names of its tests
 * @param share share of the tests to draw, from 0 to 1
 * @param promises promises that at least one drawn test each proves
 */
export const drawTests = (
  file: string,
  names: readonly string[],
  share: number,
  promises: readonly string[] = [],
): ReadonlySet<string> => {
  const shuffled = shuffle(file, names);
  const drawn = shuffled.slice(0, Math.floor(names.length * share + randomFor(`size: ${file}`)()));
  const missing = new Set(promises);
  for (const name of drawn) for (const promise of promisesOf(name)) missing.delete(promise);
  for (const name of shuffled) {
    const proven = promisesOf(name).filter((promise) => missing.delete(promise));
    if (proven.length > 0) drawn.push(name);
  }
  recordSample(
    `${file.startsWith('e2e/') ? 'costly browser tests' : 'tests of costly files'}: ${file}`,
    drawn.length,
    names.length,
  );
  return new Set(drawn);
};
