import { describe, expect, it } from 'vitest';
import { brokenLine, jsonProblem } from '../forms/code-problem.ts';
import { arrange, type Column, nextSort } from './list-state.ts';

interface Row {
  readonly name: string;
  readonly size: number;
}
const COLUMNS: Column<Row>[] = [
  { id: 'name', title: 'n', text: ({ name }) => name },
  { id: 'size', title: 's', text: ({ size }) => `${size} MB`, order: ({ size }) => size },
];
const ROWS = [
  { name: 'web-10', size: 2 },
  { name: 'Web-2', size: 10 },
  { name: 'db', size: 1 },
];
const names = (state: Parameters<typeof arrange>[2]) => arrange(ROWS, COLUMNS, state).map(({ name }) => name);

describe('a list', () => {
  it('is sorted by its first column with numbers by value by default', () => {
    expect(names({})).toEqual(['db', 'Web-2', 'web-10']);
    expect(names({ sort: '-name' })).toEqual(['web-10', 'Web-2', 'db']);
    expect(names({ sort: 'size' })).toEqual(['db', 'web-10', 'Web-2']);
    expect(names({ sort: 'nothing' })).toEqual(['db', 'Web-2', 'web-10']);
  });

  it('contains the rows with every search term in any column', () => {
    expect(names({ q: 'WEB mb' })).toEqual(['Web-2', 'web-10']);
    expect(names({ q: 'web 10' })).toEqual(['Web-2', 'web-10']);
    expect(names({ q: 'db 2' })).toEqual([]);
  });

  it('reverses its order at a second click', () => {
    expect(nextSort({}, 'name', 'name')).toBe('-name');
    expect(nextSort({ sort: '-name' }, 'name', 'name')).toBeUndefined();
    expect(nextSort({}, 'size', 'name')).toBe('size');
    expect(nextSort({ sort: 'size' }, 'size', 'name')).toBe('-size');
    expect(nextSort({ sort: '-size' }, 'size', 'name')).toBe('size');
  });
});

describe('the check of a JSON text', () => {
  it.each([
    ['', undefined],
    ['{"a": 1}', undefined],
    ['[1]', { line: undefined, key: 'code.object' }],
    ['null', { line: undefined, key: 'code.object' }],
    ['{\n  "a": 1,\n  b\n}', { line: 3, key: 'code.json' }],
    ['{"a": ', { line: 1, key: 'code.json' }],
  ])('%j', (text, problem) => {
    expect(jsonProblem(text, 'object')).toEqual(problem);
  });

  it('can require a list', () => {
    expect(jsonProblem('[]', 'array')).toBeUndefined();
    expect(jsonProblem('{}', 'array')).toEqual({ line: undefined, key: 'code.array' });
  });
});

describe('the check of a YAML text', () => {
  it('returns its first invalid line', async () => {
    const { parser } = (await import('@codemirror/lang-yaml')).yamlLanguage;
    const line = (text: string) => brokenLine(text, parser.parse(text));
    expect(line('all:\n  hosts:\n    web:\n')).toBeUndefined();
    expect(line('all:\n  hosts: [web\n')).toBeGreaterThan(1);
  });
});
