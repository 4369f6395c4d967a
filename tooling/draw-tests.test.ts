import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { TEST_COSTS } from '../testing/costly-tests.ts';
import { drawTests } from '../testing/draw-tests.ts';
import { promisesToDraw } from '../testing/promises-to-draw.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MANY = Array.from({ length: 40 }, (_, index) => `test ${index}`);

describe('drawing the tests of a costly file', () => {
  it('draws a share, and the same one for the same seed and file', () => {
    expect(drawTests('one.test.ts', MANY, 1 / 4).size).toBeGreaterThanOrEqual(10);
    expect(drawTests('one.test.ts', MANY, 1 / 4).size).toBeLessThanOrEqual(11);
    expect(drawTests('one.test.ts', MANY, 1 / 4)).toEqual(drawTests('one.test.ts', MANY, 1 / 4));
    expect(drawTests('one.test.ts', MANY, 1 / 4)).not.toEqual(drawTests('other.test.ts', MANY, 1 / 4));
  });

  it('draws no test of some files if the share is smaller than one test', () => {
    const sizes = Array.from({ length: 40 }, (_, file) => drawTests(`${file}.test.ts`, MANY.slice(0, 2), 1 / 8).size);
    expect(new Set(sizes)).toEqual(new Set([0, 1]));
  });

  it('draws at least one test for each promise that the file must prove', () => {
    const names = [...MANY, '[R5] stops', '[R5] stops at once', '[S6] masks', '[R5] [S7] stays data'];
    const drawn = [...drawTests('promises.test.ts', names, 0, ['R5', 'S6', 'S7'])].join('\n');
    for (const promise of ['R5', 'S6', 'S7']) expect(drawn).toContain(`[${promise}]`);
    expect(drawTests('promises.test.ts', names, 0, ['S6'])).toEqual(new Set(['[S6] masks']));
  });

  it('knows only files that exist', () => {
    expect(Object.keys(TEST_COSTS).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });
});

it('a promise that only costly files prove is proven by one of them', () => {
  const drawn = Object.entries(promisesToDraw());
  const promises = drawn.flatMap(([, ids]) => ids);
  expect(promises.length).toBeGreaterThan(0);
  expect(new Set(promises).size).toBe(promises.length);
  for (const [file, ids] of drawn) {
    expect(TEST_COSTS[file]).toBeGreaterThan(0);
    for (const id of ids) expect(readFileSync(join(ROOT, file), 'utf8')).toContain(`[${id}]`);
  }
});
