import type { Catalogue } from '@signalbox/lang';
import { LazyTexts } from './lazy-texts.ts';

const texts = (files: readonly { readonly default: Catalogue }[]): Catalogue[] => files.map((file) => file.default);

/** Errors of the server. When a runner can't answer a query, the error contains an end reason. */
export const errorTexts = new LazyTexts({
  // The page checks answers to surveys itself.
  en: () =>
    Promise.all([import('@signalbox/lang/errors/en.json'), import('@signalbox/lang/end-reasons/en.json')]).then(texts),
  ru: () =>
    Promise.all([import('@signalbox/lang/errors/ru.json'), import('@signalbox/lang/end-reasons/ru.json')]).then(texts),
  de: () =>
    Promise.all([import('@signalbox/lang/errors/de.json'), import('@signalbox/lang/end-reasons/de.json')]).then(texts),
  zh: () =>
    Promise.all([import('@signalbox/lang/errors/zh.json'), import('@signalbox/lang/end-reasons/zh.json')]).then(texts),
  fr: () =>
    Promise.all([import('@signalbox/lang/errors/fr.json'), import('@signalbox/lang/end-reasons/fr.json')]).then(texts),
  pt: () =>
    Promise.all([import('@signalbox/lang/errors/pt.json'), import('@signalbox/lang/end-reasons/pt.json')]).then(texts),
});
