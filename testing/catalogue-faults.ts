/** A catalogue as its file holds it. */
export type Tree = { readonly [key: string]: string | Tree };

/** Keys with their texts, in the order of the file. */
export const flatten = (tree: Tree, prefix = ''): [string, string][] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[`${prefix}${key}`, value]] : flatten(value, `${prefix}${key}.`),
  );

/** The end of a key that says which number the text is for. */
export const PLURAL = /_(zero|one|two|few|many|other)$/;

const withoutForm = (key: string): string => key.replace(PLURAL, '');

/** The forms that a language has for counted things. */
export const pluralForms = (tag: string): readonly string[] =>
  new Intl.PluralRules(tag).resolvedOptions().pluralCategories.toSorted();

const values = (text: string): string =>
  [...text.matchAll(/\{\{\s*(\w+)/g)]
    .map(([, name = '']) => name)
    .sort()
    .join(' ');

/** Texts of the original by the key without its form; of counted ones, that for many. */
const byBase = (tree: Tree): Map<string, string> =>
  new Map(flatten(tree).map(([key, text]) => [withoutForm(key), text]));

const isCounted = (tree: Tree): Set<string> =>
  new Set(flatten(tree).flatMap(([key]) => (PLURAL.test(key) ? [withoutForm(key)] : [])));

/** Keys that one of both has and the other has not, and forms of numbers that a language lacks or does not have. */
export const keyFaults = (original: Tree, catalogue: Tree, tag: string): string[] => {
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

/** Texts with other values than the original. */
export const valueFaults = (original: Tree, catalogue: Tree): string[] => {
  const wanted = byBase(original);
  return flatten(catalogue)
    .filter(([key, text]) => values(text) !== values(wanted.get(withoutForm(key)) ?? text))
    .map(([key, text]) => `${key}: ${text}`);
};

const letters = (text: string): boolean => /\p{L}/u.test(text.replaceAll(/\{\{.*?\}\}/g, ''));

/** Texts that are the same as in the original, though nobody said that they are. */
export const sameFaults = (original: Tree, catalogue: Tree, allowed: readonly string[]): string[] => {
  const originals = new Map(flatten(original));
  return flatten(catalogue)
    .filter(([key, text]) => originals.get(key) === text && letters(text) && !allowed.includes(text))
    .map(([key, text]) => `${key}: ${text}`);
};

/** Words that were allowed to be the same, and are so nowhere. */
export const staleWords = (original: Tree, catalogue: Tree, allowed: readonly string[]): string[] => {
  const originals = new Map(flatten(original));
  const same = new Set(flatten(catalogue).flatMap(([key, text]) => (originals.get(key) === text ? [text] : [])));
  return allowed.filter((word) => !same.has(word));
};

/** Blanks at an edge where the original has none; where it has one, the text is put behind or before another. */
export const blankFaults = (original: Tree, catalogue: Tree): string[] => {
  const originals = byBase(original);
  return flatten(catalogue)
    .filter(([key, text]) => {
      const wanted = originals.get(withoutForm(key)) ?? '';
      return (/^\s/.test(text) && !/^\s/.test(wanted)) || (/\s$/.test(text) && !/\s$/.test(wanted)) || text === '';
    })
    .map(([key]) => key);
};

/** The marks that a language quotes and elides with. */
const QUOTES: Readonly<Record<string, string>> = { ru: '«»', de: '„“', zh: '“”', fr: '«»’', pt: '“”' };
const ALL_QUOTES = /["'`´«»„“”‘’‚]/g;

/** What machines read keeps its marks. */
const withoutCode = (text: string): string => text.replaceAll(/\[".*?"\]/g, '');

const spacing = (language: string, text: string): boolean => {
  if (language === 'fr') return /[ \w\p{L}}][:;!?»](?=\s|$)|[«](?!\u00a0)/u.test(text) || / [:;!?»]/.test(text);
  if (language === 'zh') return /\p{Script=Han}[,.:;!?]|\p{Script=Han}["(](?=\p{Script=Han})/u.test(text);
  return / [,.:;!?](?=\s|$)/.test(text);
};

/** Quotes of another language, and marks that stand too near or too far. */
export const markFaults = (language: string, catalogue: Tree): string[] =>
  flatten(catalogue)
    .filter(([, text]) => {
      const plain = withoutCode(text);
      const foreign = [...plain.matchAll(ALL_QUOTES)].some(([mark]) => !QUOTES[language]?.includes(mark));
      return foreign || spacing(language, plain) || plain.includes('...');
    })
    .map(([key, text]) => `${key}: ${text}`);
