/** A catalogue as in its file. */
export type Tree = { readonly [key: string]: string | Tree };

/** Keys with their texts, in file order. */
export const flatten = (tree: Tree, prefix = ''): [string, string][] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[`${prefix}${key}`, value]] : flatten(value, `${prefix}${key}.`),
  );

/** The end of a key that names a plural form. */
export const PLURAL = /_(zero|one|two|few|many|other)$/;

const withoutForm = (key: string): string => key.replace(PLURAL, '');

/** The plural forms of a language. */
export const pluralForms = (tag: string): readonly string[] =>
  new Intl.PluralRules(tag).resolvedOptions().pluralCategories.toSorted();

const values = (text: string): string =>
  [...text.matchAll(/\{\{\s*(\w+)/g)]
    .map(([, name = '']) => name)
    .sort()
    .join(' ');

/** Texts of the original by key without plural form; for plurals the form for many. */
const byBase = (tree: Tree): Map<string, string> =>
  new Map(flatten(tree).map(([key, text]) => [withoutForm(key), text]));

const isCounted = (tree: Tree): Set<string> =>
  new Set(flatten(tree).flatMap(([key]) => (PLURAL.test(key) ? [withoutForm(key)] : [])));

/** Keys that only one catalogue has, and missing or unknown plural forms. */
export const keyErrors = (original: Tree, catalogue: Tree, tag: string): string[] => {
  const wanted = byBase(original);
  const counted = isCounted(original);
  const forms = pluralForms(tag);
  const has = new Set(flatten(catalogue).map(([key]) => key));
  const needed = [...wanted.keys()].flatMap((key) =>
    counted.has(key) ? forms.map((form) => `${key}_${form}`) : [key],
  );
  return [
    ...needed.filter((key) => !has.has(key)).map((key) => `${key} is missing`),
    ...[...has].filter((key) => !needed.includes(key)).map((key) => `${key} is too much`),
  ];
};

/** Texts whose parameters differ from those of the original. */
export const valueErrors = (original: Tree, catalogue: Tree): string[] => {
  const wanted = byBase(original);
  return flatten(catalogue)
    .filter(([key, text]) => values(text) !== values(wanted.get(withoutForm(key)) ?? text))
    .map(([key, text]) => `${key}: ${text}`);
};

const letters = (text: string): boolean => /\p{L}/u.test(text.replaceAll(/\{\{.*?\}\}/g, ''));

/** Texts that are equal to the original without an exception. */
export const sameErrors = (original: Tree, catalogue: Tree, allowed: readonly string[]): string[] => {
  const originals = new Map(flatten(original));
  return flatten(catalogue)
    .filter(([key, text]) => originals.get(key) === text && letters(text) && !allowed.includes(text))
    .map(([key, text]) => `${key}: ${text}`);
};

/** Exceptions for equal texts that are no longer needed. */
export const staleNames = (original: Tree, catalogue: Tree, allowed: readonly string[]): string[] => {
  const originals = new Map(flatten(original));
  const same = new Set(flatten(catalogue).flatMap(([key, text]) => (originals.get(key) === text ? [text] : [])));
  return allowed.filter((name) => !same.has(name));
};

/** Leading and trailing spaces that the original does not have. Where it has one, the text is joined with another. */
export const blankErrors = (original: Tree, catalogue: Tree): string[] => {
  const originals = byBase(original);
  return flatten(catalogue)
    .filter(([key, text]) => {
      const wanted = originals.get(withoutForm(key)) ?? '';
      return (/^\s/.test(text) && !/^\s/.test(wanted)) || (/\s$/.test(text) && !/\s$/.test(wanted)) || text === '';
    })
    .map(([key]) => key);
};

/** Quotes and apostrophes of a language. */
const QUOTES: Readonly<Record<string, string>> = { ru: '«»', de: '„“', zh: '“”', fr: '«»’', pt: '“”' };
const ALL_QUOTES = /["'`´«»„“”‘’‚]/g;

/** Code keeps its characters in every language. */
const withoutCode = (text: string): string => text.replaceAll(/\[".*?"\]/g, '');

const spacing = (language: string, text: string): boolean => {
  if (language === 'fr') return /[ \w\p{L}}][:;!?»](?=\s|$)|[«](?!\u00a0)/u.test(text) || / [:;!?»]/.test(text);
  if (language === 'zh') return /\p{Script=Han}[,.:;!?]|\p{Script=Han}["(](?=\p{Script=Han})/u.test(text);
  return / [,.:;!?](?=\s|$)/.test(text);
};

/** Quotes of another language, and wrong spaces around punctuation. */
export const punctuationErrors = (language: string, catalogue: Tree): string[] =>
  flatten(catalogue)
    .filter(([, text]) => {
      const plain = withoutCode(text);
      const foreign = [...plain.matchAll(ALL_QUOTES)].some(([character]) => !QUOTES[language]?.includes(character));
      return foreign || spacing(language, plain) || plain.includes('...');
    })
    .map(([key, text]) => `${key}: ${text}`);
