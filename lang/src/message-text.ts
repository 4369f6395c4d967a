import type { Language, Message, Param } from '@signalbox/contract';
import { createInstance } from 'i18next';
import { LOCALES } from './locales.ts';

/** The texts of one area in one language, as in its file. */
export type Catalogue = { readonly [key: string]: string | Catalogue };

const flatten = (catalogue: Catalogue, prefix = ''): [string, string][] =>
  Object.entries(catalogue).flatMap(([key, text]) =>
    typeof text === 'string' ? [[`${prefix}${key}`, text]] : flatten(text, `${prefix}${key}.`),
  );

const merge = (catalogues: readonly Catalogue[]): Record<string, string> =>
  Object.fromEntries(catalogues.flatMap((one) => flatten(one)));

/** A moment in the time zone of the reader, which the text names. */
const momentIn = (locale: string, moment: string): string => {
  const at = new Date(moment);
  if (Number.isNaN(at.getTime())) return moment;
  return at.toLocaleString(locale, {
    ...{ year: 'numeric', month: 'short', day: 'numeric' },
    ...{ hour: 'numeric', minute: '2-digit', timeZoneName: 'short' },
  });
};

/** Makes the text of a message. Returns undefined if no catalogue has its code, or the code of a message in its parameters. */
export type MakeText = (message: Message) => string | undefined;

/**
 * Makes texts in one language. `count` among the parameters selects the plural form, and
 * `until` is a moment.
 * @param catalogues in this language. List the catalogues of every area whose messages can be a parameter of another message.
 * @param english used for the codes that `catalogues` lack
 */
export const textsIn = (
  language: Language,
  catalogues: readonly Catalogue[],
  english: readonly Catalogue[] = [],
): MakeText => {
  const locale = LOCALES[language];
  const i18n = createInstance();
  // All texts are given here, so this completes before it returns.
  void i18n.init({
    lng: locale,
    fallbackLng: 'en',
    resources: { en: { translation: merge(english) }, [locale]: { translation: merge(catalogues) } },
    initAsync: false,
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false },
    missingInterpolationHandler: () => '',
  });
  const textOf = (name: string, param: Param): string | undefined => {
    if (typeof param === 'object') return makeText(param);
    if (name === 'until') return momentIn(locale, String(param));
    return typeof param === 'number' && name === 'count' ? param.toLocaleString(locale) : String(param);
  };
  const makeText: MakeText = ({ code, params = {} }) => {
    const { count } = params;
    const options = typeof count === 'number' ? { count } : {};
    if (!i18n.exists(code, options)) return undefined;
    const replace = Object.fromEntries(Object.entries(params).map(([name, param]) => [name, textOf(name, param)]));
    if (Object.values(replace).includes(undefined)) return undefined;
    return i18n.t(code, { ...options, replace });
  };
  return makeText;
};
