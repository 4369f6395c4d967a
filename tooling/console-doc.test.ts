import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TEST = /`([^`]+)` “([^”]+)”/g;

interface Row {
  readonly line: number;
  readonly cells: readonly string[];
}

const isSeparator = (line: string): boolean => /^\|( -+ \|)+$/.test(line);

/** The rows of all tables of a document, without headings and separators. */
const rowsOf = (text: string): Row[] => {
  const lines = text.split('\n');
  return lines.flatMap((line, at) =>
    line.startsWith('|') && !isSeparator(line) && !isSeparator(lines[at + 1] ?? '')
      ? [
          {
            line: at + 1,
            cells: line
              .slice(1, -1)
              .split('|')
              .map((cell) => cell.trim()),
          },
        ]
      : [],
  );
};

/** Lists what is wrong with a row: an empty cell, a missing file, a test that the file does not contain. */
const violationsOf = ({ line, cells }: Row): string[] => {
  const [feature = '', where = '', shown = ''] = cells;
  const files = [...where.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path);
  const tests = [...shown.matchAll(TEST)].map(([, path = '', name = '']) => ({ path, name }));
  const incomplete = [
    cells.length === 3 ? '' : `${cells.length} cells`,
    feature === '' ? 'no feature' : '',
    files.length === 0 ? 'no file' : '',
    tests.length === 0 ? 'no test' : '',
    // Text that remains between the tests is a test that could not be read.
    shown.replaceAll(TEST, '').replaceAll(/[;\s]/g, '') === '' ? '' : `cannot read ${shown}`,
  ];
  const missing = files.filter((path) => !existsSync(join(ROOT, path))).map((path) => `no file ${path}`);
  const unknown = tests
    .filter(({ path, name }) => !existsSync(join(ROOT, path)) || !readFileSync(join(ROOT, path), 'utf8').includes(name))
    .map(({ path, name }) => `no “${name}” in ${path}`);
  return [...incomplete.filter(Boolean), ...missing, ...unknown].map((violation) => `line ${line}: ${violation}`);
};

describe('docs/contributing/console-tests.md', () => {
  const rows = rowsOf(readFileSync(join(ROOT, 'docs/contributing/console-tests.md'), 'utf8'));

  it('names an existing file and an existing test for every feature', () => {
    expect(rows.length).toBeGreaterThan(150);
    expect(rows.flatMap(violationsOf)).toEqual([]);
  });

  it('lists each feature once', () => {
    const features = rows.map(({ cells }) => cells[0]);
    expect(features.filter((feature, at) => features.indexOf(feature) !== at)).toEqual([]);
  });

  it('is checked for empty cells, missing files and missing tests', () => {
    const head = '| What | Where | Shown by |\n| --- | --- | --- |\n';
    const found = (row: string): string[] => rowsOf(`${head}${row}`).flatMap(violationsOf);
    expect(found('| It runs | `README.md` | `tooling/docs.test.ts` “link only to files that exist” |')).toEqual([]);
    expect(found('| It runs |  | `tooling/docs.test.ts` “link only to files that exist” |')).toEqual([
      'line 3: no file',
    ]);
    expect(found('| It runs | `README.md` |  |')).toEqual(['line 3: no test']);
    expect(found('|  | `no.md` | `tooling/docs.test.ts` “no such test” |')).toEqual([
      'line 3: no feature',
      'line 3: no file no.md',
      'line 3: no “no such test” in tooling/docs.test.ts',
    ]);
  });
});
