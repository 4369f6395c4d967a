import { readFileSync } from 'node:fs';
import { Language } from '@signalbox/contract';

/** A catalogue as its file holds it. */
interface Tree {
  readonly [key: string]: string | Tree;
}

/** Dates and numbers go by these, as in the console. */
export const LOCALES: Readonly<Record<Language, string>> = {
  en: 'en',
  ru: 'ru',
  de: 'de',
  zh: 'zh-CN',
  fr: 'fr',
  pt: 'pt-BR',
};

export const readCatalogue = (language: Language): Tree =>
  JSON.parse(readFileSync(new URL(`./lang/${language}.json`, import.meta.url), 'utf8')) as Tree;

const flatten = (tree: Tree, prefix = ''): [string, string][] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[`${prefix}${key}`, value]] : flatten(value, `${prefix}${key}.`),
  );

const CATALOGUES = new Map(
  Language.options.map((language) => [language, new Map(flatten(readCatalogue(language)))] as const),
);

type Values = Readonly<Record<string, string | number>>;

const filled = (text: string, values: Values, locale: string): string =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name] ?? '';
    return typeof value === 'number' && name === 'count' ? value.toLocaleString(locale) : String(value);
  });

/** Says something in one language; `count` among the values picks the form that the language counts with. */
export type Say = (key: string, values?: Values) => string;

export const sayIn =
  (language: Language): Say =>
  (key, values = {}) => {
    const texts = CATALOGUES.get(language);
    const locale = LOCALES[language];
    const { count } = values;
    const form = typeof count === 'number' ? `${key}_${new Intl.PluralRules(locale).select(count)}` : key;
    const text = texts?.get(form);
    if (text === undefined) throw new Error(`The catalogue ${language} of alerts has no text ${form}.`);
    return filled(text, values, locale);
  };
