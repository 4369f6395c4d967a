import { readFileSync } from 'node:fs';
import { Language } from '@signalbox/contract';
import { describe, expect, it } from 'vitest';
import { LOCALES, readCatalogue, sayIn } from './alert-words.ts';

type Tree = ReturnType<typeof readCatalogue>;

const flatten = (tree: Tree, prefix = ''): [string, string][] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[`${prefix}${key}`, value]] : flatten(value, `${prefix}${key}.`),
  );

const PLURAL = /_(zero|one|two|few|many|other)$/;
const base = (key: string): string => key.replace(PLURAL, '');
const values = (text: string): string =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)]
    .map(([, name]) => name)
    .sort()
    .join();

const EN = flatten(readCatalogue('en'));
const COUNTED = new Set(EN.filter(([key]) => PLURAL.test(key)).map(([key]) => base(key)));
const TEXTS = new Map(EN.map(([key, text]) => [base(key), text]));

/** Said in a language as in English. Whatever else equals the English text was forgotten. */
const SAME: Readonly<Record<Language, readonly string[]>> = {
  en: [],
  ru: [],
  de: ['playbook', 'version', 'build', 'commit', 'afterBuild'],
  zh: ['playbook'],
  fr: ['playbook', 'version', 'build', 'commit', 'message', 'afterBuild'],
  pt: ['playbook', 'build', 'commit', 'afterBuild'],
};

describe.each(Language.options)('the catalogue %s of alerts', (language) => {
  const catalogue = flatten(readCatalogue(language));
  const forms = new Intl.PluralRules(LOCALES[language]).resolvedOptions().pluralCategories;

  it('has every text, in each form that the language counts with, and no other', () => {
    const wanted = [...TEXTS.keys()].flatMap((key) =>
      COUNTED.has(key) ? forms.map((form) => `${key}_${form}`) : [key],
    );
    expect(catalogue.map(([key]) => key).toSorted()).toEqual(wanted.toSorted());
  });

  it('has the same values in each text, and no blanks at its edges', () => {
    for (const [key, text] of catalogue) {
      expect(values(text), key).toBe(values(TEXTS.get(base(key)) ?? ''));
      expect(text.trim(), key).toBe(text);
    }
  });

  it('says in English only what is said as in English', () => {
    if (language === 'en') return expect(catalogue).toEqual(EN);
    const same = catalogue.filter(
      ([key, text]) => TEXTS.get(base(key)) === text && /\p{L}/u.test(text.replaceAll(/\{\{.*?\}\}/g, '')),
    );
    expect(same.map(([key]) => key).toSorted()).toEqual([...SAME[language]].toSorted());
  });
});

describe('the texts of alerts', () => {
  it('are all said somewhere', () => {
    const source = ['alert-message.ts', 'proof-message.ts']
      .map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
      .join('\n');
    const said = new Set([...source.matchAll(/say\((?:'|`)([\w.]+)/g)].map(([, key]) => key));
    for (const key of TEXTS.keys()) expect(said.has(key) || said.has(`${key.split('.')[0]}.`), key).toBe(true);
  });

  it('count as each language does', () => {
    const hosts = (language: Language) => [1, 2, 5, 1234].map((count) => sayIn(language)('hosts', { count }));
    expect(hosts('en')).toEqual(['1 host failed', '2 hosts failed', '5 hosts failed', '1,234 hosts failed']);
    expect(hosts('ru')).toEqual([
      'Ошибка на 1 хосте',
      'Ошибка на 2 хостах',
      'Ошибка на 5 хостах',
      'Ошибка на 1\u00a0234 хостах',
    ]);
    expect(hosts('de')[3]).toBe('1.234 Hosts fehlgeschlagen');
    expect(() => sayIn('en')('nothing')).toThrow('no text nothing');
  });
});
