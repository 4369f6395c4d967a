import { describe, expect, it } from 'vitest';
import { findRefusedWords } from './words/findings.ts';
import { splitName } from './words/source-texts.ts';

const wordsIn = (path: string, text: string): string[] => findRefusedWords(path, text).map(({ word }) => word);

describe('the check of words', () => {
  it('finds a refused word in names, comments, texts, catalogues, documents and Python', () => {
    expect(wordsIn('server/src/x.ts', 'export const keeperOf = 1;')).toEqual(['keeper']);
    expect(wordsIn('server/src/x.ts', '// The keeper ends it.\nexport const one = 1;')).toEqual(['keeper']);
    expect(wordsIn('server/src/x.ts', "throw new Error('The keeper has ended.');")).toEqual(['keeper']);
    expect(wordsIn('lang/errors/en.json', '{\n  "run.lost": "The keeper has ended."\n}')).toEqual(['keeper']);
    expect(wordsIn('docs/x.md', 'The keeper ends it.')).toEqual(['keeper']);
    expect(wordsIn('runner/x.py', 'def start_keeper():')).toEqual(['keeper']);
    expect(wordsIn('runner/src/run-keeper.ts', '')).toEqual(['keeper']);
  });

  it('finds phrases in names and in prose', () => {
    expect(wordsIn('server/src/x.ts', 'export const handOver = 1;')).toEqual(['hand over']);
    expect(wordsIn('docs/x.md', 'The user is gone.')).toEqual(['is gone']);
  });

  it('names the line and the word to use', () => {
    expect(findRefusedWords('server/src/x.ts', '/**\n * Reads.\n * The keeper ends it.\n */')).toMatchObject([
      { line: 3, word: 'keeper', instead: 'supervisor' },
    ]);
  });

  it('accepts a word in another meaning, in code of documents and in data', () => {
    expect(wordsIn('server/src/x.ts', 'await Promise.allSettled([]); // in place of')).toEqual([]);
    expect(wordsIn('docs/x.md', 'Run `signalbox keeper`, or\n\n```sh\nkeeper\n```\n')).toEqual([]);
    expect(wordsIn('server/src/x.ts', "export const path = 'keeper';")).toEqual([]);
    expect(wordsIn('web/src/placeholder.ts', 'export const replaceHouseholds = 1;')).toEqual([]);
  });

  it('accepts a word of another program or of stored data only in the file that needs it', () => {
    const text = 'export const placed = { place: 1 };';
    expect(wordsIn('server/src/commands/vault/vault.actions.ts', text)).toEqual([]);
    expect(wordsIn('server/src/commands/backup.actions.ts', text)).toEqual(['place']);
  });

  it('splits names at capitals, hyphens and underscores', () => {
    expect(splitName('readURLOfHTTPServer_again-now')).toBe('read url of http server again now');
  });
});
