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

const isRule = (line: string): boolean => /^\|( -+ \|)+$/.test(line);

/** The rows of all tables of a document, without heads and rules. */
const rowsOf = (text: string): Row[] => {
  const lines = text.split('\n');
  return lines.flatMap((line, at) =>
    line.startsWith('|') && !isRule(line) && !isRule(lines[at + 1] ?? '')
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

/** What is wrong with a row: a cell without anything in it, a file that is not there, a test that the file does not have. */
const faultsOf = ({ line, cells }: Row): string[] => {
  const [sentence = '', where = '', shown = ''] = cells;
  const files = [...where.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path);
  const tests = [...shown.matchAll(TEST)].map(([, path = '', name = '']) => ({ path, name }));
  const lacks = [
    cells.length === 3 ? '' : `${cells.length} cells`,
    sentence === '' ? 'no sentence' : '',
    files.length === 0 ? 'no file' : '',
    tests.length === 0 ? 'no test' : '',
    // What is left between the tests that were read is a test that was not.
    shown.replaceAll(TEST, '').replaceAll(/[;\s]/g, '') === '' ? '' : `cannot read ${shown}`,
  ];
  const missing = files.filter((path) => !existsSync(join(ROOT, path))).map((path) => `no file ${path}`);
  const unknown = tests
    .filter(({ path, name }) => !existsSync(join(ROOT, path)) || !readFileSync(join(ROOT, path), 'utf8').includes(name))
    .map(({ path, name }) => `no “${name}” in ${path}`);
  return [...lacks.filter(Boolean), ...missing, ...unknown].map((fault) => `line ${line}: ${fault}`);
};

describe('the list of what the console does', () => {
  const rows = rowsOf(readFileSync(join(ROOT, 'docs/contributing/console-tests.md'), 'utf8'));

  it('names for every sentence a file that is there and a test that is in it', () => {
    expect(rows.length).toBeGreaterThan(150);
    expect(rows.flatMap(faultsOf)).toEqual([]);
  });

  it('says everything once', () => {
    const sentences = rows.map(({ cells }) => cells[0]);
    expect(sentences.filter((sentence, at) => sentences.indexOf(sentence) !== at)).toEqual([]);
  });

  it('is read so that a fault is found', () => {
    const head = '| What | Where | Shown by |\n| --- | --- | --- |\n';
    const found = (row: string): string[] => rowsOf(`${head}${row}`).flatMap(faultsOf);
    expect(found('| It runs | `README.md` | `tooling/docs.test.ts` “link only to files that exist” |')).toEqual([]);
    expect(found('| It runs |  | `tooling/docs.test.ts` “link only to files that exist” |')).toEqual([
      'line 3: no file',
    ]);
    expect(found('| It runs | `README.md` |  |')).toEqual(['line 3: no test']);
    expect(found('|  | `no.md` | `tooling/docs.test.ts` “no such test” |')).toEqual([
      'line 3: no sentence',
      'line 3: no file no.md',
      'line 3: no “no such test” in tooling/docs.test.ts',
    ]);
  });
});
