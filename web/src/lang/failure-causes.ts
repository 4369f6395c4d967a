import type { Catalogue } from '@signalbox/lang';
import { LazyTexts } from './lazy-texts.ts';

const texts = (file: { readonly default: Catalogue }): Catalogue[] => [file.default];

/** The texts of common causes of failures. */
export const failureCauses = new LazyTexts({
  en: () => import('@signalbox/lang/failures/en.json').then(texts),
  ru: () => import('@signalbox/lang/failures/ru.json').then(texts),
  de: () => import('@signalbox/lang/failures/de.json').then(texts),
  zh: () => import('@signalbox/lang/failures/zh.json').then(texts),
  fr: () => import('@signalbox/lang/failures/fr.json').then(texts),
  pt: () => import('@signalbox/lang/failures/pt.json').then(texts),
});
