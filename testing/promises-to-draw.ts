import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { shareOf } from './costly-tests.ts';
import { randomFor } from './sample.ts';

const ROOT = resolve(import.meta.dirname, '..');
const TESTS = '{bench,contract,lang,runner,server,tooling}/**/*.test.ts';
/** Its titles are only examples. */
const OWN_TEST = 'tooling/draw-tests.test.ts';

/** The promises in the test titles of a file: `[R5]`. A title may begin in the middle of a line. */
const promisesIn = (file: string): Set<string> =>
  new Set(
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/\[([RS]\d+)\](?=[^\n]*['"`])/g)].map(([, id = '']) => id),
  );

/** Draws one of the files. A file that takes half as long is drawn twice as often. */
const drawFile = (name: string, files: readonly string[]): string | undefined => {
  let left = randomFor(name)() * files.reduce((sum, file) => sum + shareOf(file), 0);
  for (const file of files) {
    left -= shareOf(file);
    if (left < 0) return file;
  }
  return files.at(-1);
};

/**
 * The promises that each costly file must prove in this run: those that no file proves whose tests all run. One file is
 * drawn for each.
 */
export const promisesToDraw = (): Readonly<Record<string, readonly string[]>> => {
  const provers = new Map<string, string[]>();
  for (const file of globSync(TESTS, { cwd: ROOT, exclude: ['**/node_modules', OWN_TEST] }).toSorted())
    for (const promise of promisesIn(file)) provers.set(promise, [...(provers.get(promise) ?? []), file]);
  const drawn: Record<string, string[]> = {};
  for (const [promise, files] of provers) {
    if (files.some((file) => shareOf(file) === 1)) continue;
    const file = drawFile(`prover: ${promise}`, files);
    if (file !== undefined) drawn[file] = [...(drawn[file] ?? []), promise];
  }
  return drawn;
};
