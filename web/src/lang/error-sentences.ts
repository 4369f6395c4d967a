import { LazySentences } from './lazy-sentences.ts';

/** The errors that the server answers. */
export const errorSentences = new LazySentences({
  ru: async () => [(await import('@signalbox/lang/errors/ru.json')).default],
  de: async () => [(await import('@signalbox/lang/errors/de.json')).default],
  zh: async () => [(await import('@signalbox/lang/errors/zh.json')).default],
  fr: async () => [(await import('@signalbox/lang/errors/fr.json')).default],
  pt: async () => [(await import('@signalbox/lang/errors/pt.json')).default],
});
