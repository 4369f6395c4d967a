import { describe, expect, it } from 'vitest';
import {
  blankFaults,
  flatten,
  keyFaults,
  markFaults,
  pluralForms,
  sameFaults,
  staleWords,
  type Tree,
  valueFaults,
} from '../../../testing/catalogue-faults.ts';
import { SAME_WORDS } from '../testing/untranslated-words.ts';
import de from './de.json';
import en from './en.json';
import fr from './fr.json';
import { LANGUAGES } from './languages.ts';
import pt from './pt.json';
import ru from './ru.json';
import zh from './zh.json';

const TRANSLATIONS = { ru, de, zh, fr, pt } as const;
const CODES = Object.keys(TRANSLATIONS) as (keyof typeof TRANSLATIONS)[];

describe.each(CODES)('the catalogue %s', (code) => {
  const catalogue: Tree = TRANSLATIONS[code];

  it('has the keys of the English one, and the forms that the language counts with', () => {
    expect(keyFaults(en, catalogue, LANGUAGES[code].tag)).toEqual([]);
  });

  it('has the same values in each text', () => {
    expect(valueFaults(en, catalogue)).toEqual([]);
  });

  it('leaves nothing in English but words that are the same', () => {
    expect(sameFaults(en, catalogue, SAME_WORDS[code])).toEqual([]);
    expect(staleWords(en, catalogue, SAME_WORDS[code])).toEqual([]);
  });

  it('has no blanks at the edges, and the marks of its language', () => {
    expect(blankFaults(en, catalogue)).toEqual([]);
    expect(markFaults(code, catalogue)).toEqual([]);
  });
});

describe('every catalogue', () => {
  it('is of a language of the console, and every language has one', () => {
    expect(['en', ...CODES]).toEqual(Object.keys(LANGUAGES));
    for (const code of CODES) expect(flatten(TRANSLATIONS[code]).length).toBeGreaterThan(500);
  });

  it('counts in English as in the rules', () => {
    expect(keyFaults(en, en, 'en')).toEqual([]);
    expect(blankFaults(en, en)).toEqual([]);
  });
});

describe('the forms of numbers', () => {
  it.each([
    ['en', ['one', 'other']],
    ['de', ['one', 'other']],
    ['ru', ['few', 'many', 'one', 'other']],
    ['zh', ['other']],
    ['fr', ['many', 'one', 'other']],
    ['pt', ['many', 'one', 'other']],
  ])('of %s are %j', (code, forms) => {
    expect(pluralForms(code)).toEqual(forms);
  });
});

describe('a planted fault is found:', () => {
  const original = { a: 'Save {{name}}', n_one: '{{count}} day', n_other: '{{count}} days', edge: ' and ' };
  const good = { a: '{{name}} speichern', n_one: '{{count}} Tag', n_other: '{{count}} Tage', edge: ' und ' };
  const change = (to: Tree): Tree => ({ ...good, ...to });

  it('none where there is none', () => {
    expect(keyFaults(original, good, 'de')).toEqual([]);
    expect(valueFaults(original, good)).toEqual([]);
    expect(blankFaults(original, good)).toEqual([]);
    expect(markFaults('de', good)).toEqual([]);
  });

  it('a missing key, one too much, a form that is missing or not needed', () => {
    const { a: _, ...without } = good;
    expect(keyFaults(original, without, 'de')).toEqual(['a is missing']);
    expect(keyFaults(original, change({ b: 'x' }), 'de')).toEqual(['b is too much']);
    expect(keyFaults(original, good, 'ru')).toEqual(['n_few is missing', 'n_many is missing']);
    expect(keyFaults(original, good, 'zh')).toEqual(['n_one is too much']);
  });

  it('a value that is misspelt, missing or added', () => {
    expect(valueFaults(original, change({ a: '{{nam}} speichern' }))).toHaveLength(1);
    expect(valueFaults(original, change({ n_one: 'ein Tag' }))).toHaveLength(1);
    expect(valueFaults(original, change({ edge: ' und {{name}} ' }))).toHaveLength(1);
  });

  it('a text that was forgotten, and an allowance that nothing needs', () => {
    expect(sameFaults(original, change({ a: 'Save {{name}}' }), [])).toEqual(['a: Save {{name}}']);
    expect(sameFaults({ a: '{{n}}: ' }, { a: '{{n}}: ' }, [])).toEqual([]);
    expect(sameFaults({ a: 'Status' }, { a: 'Status' }, ['Status'])).toEqual([]);
    expect(staleWords(original, good, ['Status'])).toEqual(['Status']);
  });

  it.each<[string, string, boolean]>([
    ['de', 'Vorlage "x"', true],
    ['de', 'Vorlage „x“', false],
    ['de', 'Vorlage “x”', true],
    ['de', 'Warten...', true],
    ['de', 'So , nicht', true],
    ['ru', 'Шаблон „x“', true],
    ['ru', 'Шаблон «x»', false],
    ['ru', 'Пример ["--tags", "web"]', false],
    ['fr', "l'hôte", true],
    ['fr', 'l’hôte', false],
    ['fr', 'Ligne 1 : rien', true],
    ['fr', 'Ligne 1: rien', true],
    ['fr', 'Ligne 1\u00a0: rien', false],
    ['fr', 'Modèle «x»', true],
    ['fr', 'Modèle «\u00a0x\u00a0»', false],
    ['zh', '主机:一台', true],
    ['zh', '主机：一台', false],
    ['pt', 'Modelo «x»', true],
  ])('marks in %s: %j', (code, text, wrong) => {
    expect(markFaults(code, { a: text })).toHaveLength(wrong ? 1 : 0);
  });

  it('a blank at an edge', () => {
    expect(blankFaults(original, change({ a: '{{name}} speichern ' }))).toEqual(['a']);
    expect(blankFaults(original, change({ edge: 'und' }))).toEqual([]);
    expect(blankFaults(original, change({ a: '' }))).toEqual(['a']);
  });
});
