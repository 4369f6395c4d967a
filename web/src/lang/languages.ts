import { LOCALES } from '@signalbox/lang';

/** The languages of the console: the native name, and the tag for dates and sorting. */
export const LANGUAGES = {
  en: { name: 'English', tag: LOCALES.en },
  ru: { name: 'Русский', tag: LOCALES.ru },
  de: { name: 'Deutsch', tag: LOCALES.de },
  zh: { name: '中文', tag: LOCALES.zh },
  fr: { name: 'Français', tag: LOCALES.fr },
  pt: { name: 'Português', tag: LOCALES.pt },
} as const;

export type Language = keyof typeof LANGUAGES;

export const LANGUAGE_CODES = Object.keys(LANGUAGES) as Language[];

export const isLanguage = (code: string | null | undefined): code is Language =>
  code !== null && code !== undefined && Object.hasOwn(LANGUAGES, code);

const base = (tag: string): string => tag.toLowerCase().split(/[-_]/)[0] ?? '';

/** The language to use: the stored one, else the first language of the browser that the console has, else English. */
export const pickLanguage = (saved: string | undefined, wanted: readonly string[]): Language => {
  if (isLanguage(saved)) return saved;
  return wanted.map(base).find(isLanguage) ?? 'en';
};

/** The locale for dates, numbers and sorting: the browser's own region of the language, else the default region. */
export const pickLocale = (language: Language, wanted: readonly string[]): string => {
  const own = wanted.find((tag) => base(tag) === language && /[-_]/.test(tag));
  const tag = own ?? LANGUAGES[language].tag;
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? LANGUAGES[language].tag;
  } catch {
    return LANGUAGES[language].tag;
  }
};
