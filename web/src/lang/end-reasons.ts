import { type MakeText, textsIn } from '@signalbox/lang';
import english from '@signalbox/lang/end-reasons/en.json';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LazyTexts } from './lazy-texts.ts';
import { FALLBACK } from './translate.ts';

const englishText = textsIn(FALLBACK, [english]);

const texts = new LazyTexts({
  ru: async () => [(await import('@signalbox/lang/end-reasons/ru.json')).default],
  de: async () => [(await import('@signalbox/lang/end-reasons/de.json')).default],
  zh: async () => [(await import('@signalbox/lang/end-reasons/zh.json')).default],
  fr: async () => [(await import('@signalbox/lang/end-reasons/fr.json')).default],
  pt: async () => [(await import('@signalbox/lang/end-reasons/pt.json')).default],
});

const inLanguage: MakeText = (message) => {
  const known = englishText(message);
  return known === undefined ? undefined : texts.text(message, known);
};

/** Translates end reasons to the language of the console. In English until that catalogue has loaded. */
export const useEndReasonTexts = (): MakeText => {
  const { language } = useTranslation().i18n;
  const [, setLoaded] = useState('');
  useEffect(() => {
    let isShown = true;
    void texts.load().then(() => {
      if (isShown) setLoaded(language);
    });
    return () => {
      isShown = false;
    };
  }, [language]);
  return inLanguage;
};
