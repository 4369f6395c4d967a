import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { COSTLY_TESTS } from '../testing/costly-tests.ts';
import { drawTests } from '../testing/draw-tests.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MANY = Array.from({ length: 40 }, (_, index) => `test ${index}`);

describe('drawing the tests of a costly file', () => {
  it('draws a share, rounded up, and the same one for the same seed and file', () => {
    expect(drawTests('one.test.ts', MANY, 1 / 3).size).toBe(14);
    expect(drawTests('one.test.ts', MANY, 1 / 3)).toEqual(drawTests('one.test.ts', MANY, 1 / 3));
    expect(drawTests('one.test.ts', MANY, 1 / 3)).not.toEqual(drawTests('other.test.ts', MANY, 1 / 3));
  });

  it('draws at least one test for each promise', () => {
    const names = [...MANY, '[R5] stops', '[R5] stops at once', '[S6] masks', '[R5] [S7] stays data'];
    const drawn = [...drawTests('promises.test.ts', names, 1 / 40)].join('\n');
    for (const promise of ['R5', 'S6', 'S7']) expect(drawn).toContain(`[${promise}]`);
  });

  it('knows only files that exist', () => {
    expect(Object.keys(COSTLY_TESTS).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });
});
