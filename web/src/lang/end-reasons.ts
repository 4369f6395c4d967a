import { type MakeSentence, sentencesIn } from '@signalbox/lang';
import english from '@signalbox/lang/end-reasons/en.json';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LazySentences } from './lazy-texts.ts';
import { FALLBACK } from './translate.ts';

const englishSentence = sentencesIn(FALLBACK, [english]);

const sentences = new LazySentences({
  ru: async () => [(await import('@signalbox/lang/end-reasons/ru.json')).default],
  de: async () => [(await import('@signalbox/lang/end-reasons/de.json')).default],
  zh: async () => [(await import('@signalbox/lang/end-reasons/zh.json')).default],
  fr: async () => [(await import('@signalbox/lang/end-reasons/fr.json')).default],
  pt: async () => [(await import('@signalbox/lang/end-reasons/pt.json')).default],
});

const inLanguage: MakeSentence = (message) => {
  const known = englishSentence(message);
  return known === undefined ? undefined : sentences.sentence(message, known);
};

/** Translates end reasons to the language of the console. In English until that catalogue has loaded. */
export const useEndReasonSentences = (): MakeSentence => {
  const { language } = useTranslation().i18n;
  const [, setLoaded] = useState('');
  useEffect(() => {
    let isShown = true;
    void sentences.load().then(() => {
      if (isShown) setLoaded(language);
    });
    return () => {
      isShown = false;
    };
  }, [language]);
  return inLanguage;
};
