import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import en from './en.json';

/** The language that has every text. Other languages fall back to it. */
export const FALLBACK = 'en';

await i18next.use(initReactI18next).init({
  lng: FALLBACK,
  fallbackLng: FALLBACK,
  resources: { en: { translation: en } },
  interpolation: { escapeValue: false },
  returnNull: false,
  react: { useSuspense: false },
});

/** A text of the catalogue, for code outside components. Components use `useTranslation`. */
export const translate = (key: string, values: Record<string, string | number> = {}): string => i18next.t(key, values);
