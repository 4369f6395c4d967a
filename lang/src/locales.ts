import type { Language } from '@signalbox/contract';

/** The locale by which each language formats dates and numbers. */
export const LOCALES = {
  en: 'en',
  ru: 'ru',
  de: 'de',
  zh: 'zh-CN',
  fr: 'fr',
  pt: 'pt-BR',
} as const satisfies Record<Language, string>;
