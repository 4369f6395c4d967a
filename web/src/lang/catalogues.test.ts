import { describe, expect, it } from 'vitest';
import {
  blankErrors,
  flatten,
  keyErrors,
  pluralForms,
  punctuationErrors,
  sameErrors,
  staleNames,
  type Tree,
  valueErrors,
} from '../../../testing/catalogue-errors.ts';
import { UNTRANSLATED } from '../testing/untranslated-texts.ts';
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
    expect(keyErrors(en, catalogue, LANGUAGES[code].tag)).toEqual([]);
  });

  it('has the same values in each text', () => {
    expect(valueErrors(en, catalogue)).toEqual([]);
  });

  it('leaves nothing in English except texts that are the same', () => {
    expect(sameErrors(en, catalogue, UNTRANSLATED[code])).toEqual([]);
    expect(staleNames(en, catalogue, UNTRANSLATED[code])).toEqual([]);
  });

  it('has no spaces at the edges, and the punctuation of its language', () => {
    expect(blankErrors(en, catalogue)).toEqual([]);
    expect(punctuationErrors(code, catalogue)).toEqual([]);
  });
});

describe('every catalogue', () => {
  it('is of a language of the console, and every language has one', () => {
    expect(['en', ...CODES]).toEqual(Object.keys(LANGUAGES));
    for (const code of CODES) expect(flatten(TRANSLATIONS[code]).length).toBeGreaterThan(500);
  });

  it('counts in English as in the rules', () => {
    expect(keyErrors(en, en, 'en')).toEqual([]);
    expect(blankErrors(en, en)).toEqual([]);
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

describe('a planted error is found:', () => {
  const original = { a: 'Save {{name}}', n_one: '{{count}} day', n_other: '{{count}} days', edge: ' and ' };
  const good = { a: '{{name}} speichern', n_one: '{{count}} Tag', n_other: '{{count}} Tage', edge: ' und ' };
  const change = (to: Tree): Tree => ({ ...good, ...to });

  it('none where there is none', () => {
    expect(keyErrors(original, good, 'de')).toEqual([]);
    expect(valueErrors(original, good)).toEqual([]);
    expect(blankErrors(original, good)).toEqual([]);
    expect(punctuationErrors('de', good)).toEqual([]);
  });

  it('a missing key, one too much, a form that is missing or not needed', () => {
    const { a: _, ...without } = good;
    expect(keyErrors(original, without, 'de')).toEqual(['a is missing']);
    expect(keyErrors(original, change({ b: 'x' }), 'de')).toEqual(['b is too much']);
    expect(keyErrors(original, good, 'ru')).toEqual(['n_few is missing', 'n_many is missing']);
    expect(keyErrors(original, good, 'zh')).toEqual(['n_one is too much']);
  });

  it('a value that is misspelt, missing or added', () => {
    expect(valueErrors(original, change({ a: '{{nam}} speichern' }))).toHaveLength(1);
    expect(valueErrors(original, change({ n_one: 'ein Tag' }))).toHaveLength(1);
    expect(valueErrors(original, change({ edge: ' und {{name}} ' }))).toHaveLength(1);
  });

  it('a text that was forgotten, and an allowance that nothing needs', () => {
    expect(sameErrors(original, change({ a: 'Save {{name}}' }), [])).toEqual(['a: Save {{name}}']);
    expect(sameErrors({ a: '{{n}}: ' }, { a: '{{n}}: ' }, [])).toEqual([]);
    expect(sameErrors({ a: 'Status' }, { a: 'Status' }, ['Status'])).toEqual([]);
    expect(staleNames(original, good, ['Status'])).toEqual(['Status']);
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
  ])('quotes in %s: %j', (code, text, wrong) => {
    expect(punctuationErrors(code, { a: text })).toHaveLength(wrong ? 1 : 0);
  });

  it('a blank at an edge', () => {
    expect(blankErrors(original, change({ a: '{{name}} speichern ' }))).toEqual(['a']);
    expect(blankErrors(original, change({ edge: 'und' }))).toEqual([]);
    expect(blankErrors(original, change({ a: '' }))).toEqual(['a']);
  });
});
