import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Returns the first cells of the rows of all tables of a document, without headings. */
const firstCells = (document: string): string[] => {
  const lines = document.split('\n');
  return lines.flatMap((line, at) => {
    const [, cell] = /^\| ([^|]+) \|/.exec(line) ?? [];
    return cell === undefined || /^-+$/.test(cell) || /^\| -/.test(lines[at + 1] ?? '') ? [] : [cell.trim()];
  });
};

const terms = firstCells(read('docs/glossary.md'));
const isKnown = (noun: string): boolean =>
  terms.some((term) => term === noun || term.split(' ').includes(noun) || noun.split(' ').includes(term));

/** Ansible's and everyday terms, which keep their usual meaning. */
const COMMON = new Set(
  [
    'system',
    'playbook',
    'play',
    'host',
    'secret',
    'credentials',
    'passphrase',
    'branch',
    'commit',
    'dry run',
    'log',
    'dashboard',
  ]
    .concat([
      'team, member',
      'authenticator app',
      'success',
      'failed',
      'stopped',
      'extra variables',
      'to drain (a runner)',
    ])
    .concat(['changed (result)', 'skipped (result)', 'unreachable (result)']),
);

describe('the glossary', () => {
  it('lists its terms once, in alphabetical order', () => {
    expect(terms.length).toBeGreaterThan(40);
    expect(terms).toEqual([...new Set(terms)].sort((a, b) => a.localeCompare(b, 'en')));
  });

  it('contains the noun of every kind of object of the API', () => {
    const nouns = globSync('contract/src/entities/*.ts', { cwd: ROOT })
      .map((path) => basename(path, '.ts').replaceAll('-', ' '))
      .filter((name) => !name.endsWith('.test') && name !== 'resources');
    expect(nouns.length).toBeGreaterThan(8);
    expect(nouns.filter((noun) => !isKnown(noun) && !COMMON.has(noun))).toEqual([]);
  });

  it('contains every term that the translations list', () => {
    const nouns = firstCells(read('docs/contributing/translations.md')).map((noun) =>
      noun.replace(/ \((?!a runner|result).*/, ''),
    );
    expect(nouns.length).toBeGreaterThan(40);
    expect(nouns.filter((noun) => !isKnown(noun) && !COMMON.has(noun) && !isKnown(noun.replace(/s$/, '')))).toEqual([]);
  });

  it('contains every term that a guide introduces in italics', () => {
    const defined = globSync('docs/{guides,operations}/*.md', { cwd: ROOT }).flatMap((path) =>
      [...read(path).matchAll(/^A \*([a-z ]+)\* /gm)].map(([, term = '']) => term),
    );
    expect(defined.length).toBeGreaterThan(0);
    expect(defined.filter((term) => !isKnown(term))).toEqual([]);
  });
});
