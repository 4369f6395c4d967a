import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';

/** The language that is used if the texts of the chosen one can't be loaded. */
export const FALLBACK = 'en';

await i18next.use(initReactI18next).init({
  lng: FALLBACK,
  fallbackLng: FALLBACK,
  resources: {},
  interpolation: { escapeValue: false },
  returnNull: false,
  react: { useSuspense: false },
});

/** A text of the catalogue, for code outside components. Components use `useTranslation`. */
export const translate = (key: string, values: Record<string, string | number> = {}): string => i18next.t(key, values);
