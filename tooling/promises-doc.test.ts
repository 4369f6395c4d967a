import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PACKAGES = '{bench,contract,e2e,lang,runner,server,tooling,web}';

const numbersIn = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, one = '']) => one);

/** The numbers of promises in the titles of all tests. */
const proven = new Set(
  globSync(`${PACKAGES}/**/*.{test.ts,test.tsx,spec.ts}`, { cwd: ROOT, exclude: ['**/node_modules/**'] }).flatMap(
    (path) => numbersIn(readFileSync(join(ROOT, path), 'utf8'), /\[([RS]\d+)\]/g),
  ),
);

describe('docs/contributing/promises.md', () => {
  const listed = numbersIn(readFileSync(join(ROOT, 'docs/contributing/promises.md'), 'utf8'), /^\| ([RS]\d+) \|/gm);

  it('lists every promise that a test names', () => {
    expect(listed.length).toBeGreaterThan(0);
    expect([...proven].filter((number) => !listed.includes(number))).toEqual([]);
  });

  it('lists only promises that a test proves, each once', () => {
    expect(listed.filter((number, at) => !proven.has(number) || listed.indexOf(number) !== at)).toEqual([]);
  });
});
