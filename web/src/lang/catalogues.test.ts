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

  it('has the keys of the English catalogue, and the plural forms of its language', () => {
    expect(keyErrors(en, catalogue, LANGUAGES[code].tag)).toEqual([]);
  });

  it('has the same placeholders in each text', () => {
    expect(valueErrors(en, catalogue)).toEqual([]);
  });

  it('contains no English text except those that are the same in both languages', () => {
    expect(sameErrors(en, catalogue, UNTRANSLATED[code])).toEqual([]);
    expect(staleNames(en, catalogue, UNTRANSLATED[code])).toEqual([]);
  });

  it('has no spaces at the edges of a text, and uses the punctuation of its language', () => {
    expect(blankErrors(en, catalogue)).toEqual([]);
    expect(punctuationErrors(code, catalogue)).toEqual([]);
  });
});

describe('every catalogue', () => {
  it('belongs to a language of the console, and every language has a catalogue', () => {
    expect(['en', ...CODES]).toEqual(Object.keys(LANGUAGES));
    for (const code of CODES) expect(flatten(TRANSLATIONS[code]).length).toBeGreaterThan(500);
  });

  it('has no errors when the English catalogue is compared with itself', () => {
    expect(keyErrors(en, en, 'en')).toEqual([]);
    expect(blankErrors(en, en)).toEqual([]);
  });
});

describe('the plural forms', () => {
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

describe('the check of a catalogue', () => {
  const original = { a: 'Save {{name}}', n_one: '{{count}} day', n_other: '{{count}} days', edge: ' and ' };
  const good = { a: '{{name}} speichern', n_one: '{{count}} Tag', n_other: '{{count}} Tage', edge: ' und ' };
  const change = (to: Tree): Tree => ({ ...good, ...to });

  it('accepts a correct catalogue', () => {
    expect(keyErrors(original, good, 'de')).toEqual([]);
    expect(valueErrors(original, good)).toEqual([]);
    expect(blankErrors(original, good)).toEqual([]);
    expect(punctuationErrors('de', good)).toEqual([]);
  });

  it('finds a missing or unknown key or plural form', () => {
    const { a: _, ...without } = good;
    expect(keyErrors(original, without, 'de')).toEqual(['a is missing']);
    expect(keyErrors(original, change({ b: 'x' }), 'de')).toEqual(['b is too much']);
    expect(keyErrors(original, good, 'ru')).toEqual(['n_few is missing', 'n_many is missing']);
    expect(keyErrors(original, good, 'zh')).toEqual(['n_one is too much']);
  });

  it('finds a misspelt, missing or additional placeholder', () => {
    expect(valueErrors(original, change({ a: '{{nam}} speichern' }))).toHaveLength(1);
    expect(valueErrors(original, change({ n_one: 'ein Tag' }))).toHaveLength(1);
    expect(valueErrors(original, change({ edge: ' und {{name}} ' }))).toHaveLength(1);
  });

  it('finds an untranslated text and an unused exception', () => {
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
  ])('finds wrong quotes in %s: %j', (code, text, wrong) => {
    expect(punctuationErrors(code, { a: text })).toHaveLength(wrong ? 1 : 0);
  });

  it('finds a space at an edge', () => {
    expect(blankErrors(original, change({ a: '{{name}} speichern ' }))).toEqual(['a']);
    expect(blankErrors(original, change({ edge: 'und' }))).toEqual([]);
    expect(blankErrors(original, change({ a: '' }))).toEqual(['a']);
  });
});
