import { recordSample, shuffle } from './sample.ts';

/** The promises that a test proves, by their numbers in its full name: `[R5]`. */
const promisesOf = (name: string): string[] => [...name.matchAll(/\[([RS]\d+)\]/g)].map(([, promise = '']) => promise);

/**
 * Returns a random sample of the tests of a file. At least one test for each promise that the file proves is drawn.
 * @param file path of the file from the root
 * @param names full names of its tests
 * @param share share of the tests to draw, from 0 to 1
 */
export const drawTests = (file: string, names: readonly string[], share: number): ReadonlySet<string> => {
  const shuffled = shuffle(file, names);
  const drawn = shuffled.slice(0, Math.ceil(names.length * share));
  const proven = new Set(drawn.flatMap(promisesOf));
  for (const name of shuffled) {
    const promises = promisesOf(name);
    if (promises.every((promise) => proven.has(promise))) continue;
    drawn.push(name);
    for (const promise of promises) proven.add(promise);
  }
  recordSample(`tests of costly files: ${file}`, drawn.length, names.length);
  return new Set(drawn);
};
