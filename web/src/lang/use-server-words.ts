import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { awaitServerWords, serverWords } from './server-words.ts';

/** A sentence of the server in the language of the console; in English until the translations are loaded. */
export const useServerWords = (said: string): string => {
  const { language } = useTranslation().i18n;
  const [, setLoaded] = useState('');
  useEffect(() => {
    let isShown = true;
    void awaitServerWords().then(() => {
      if (isShown) setLoaded(language);
    });
    return () => {
      isShown = false;
    };
  }, [language]);
  return serverWords(said);
};
