import i18next from 'i18next';
import { storage } from '../ui/browser/storage.ts';
import { isLanguage, LANGUAGES, type Language, pickLanguage, pickLocale } from './languages.ts';
import { LazyTexts } from './lazy-texts.ts';
import { setLocale } from './locale.ts';
import { FALLBACK } from './translate.ts';

/** The chosen language, or `system` for the language of the browser. */
export type LanguageChoice = Language | 'system';

type Catalogue = Readonly<Record<string, unknown>>;

type Loaders = Readonly<Record<Exclude<Language, typeof FALLBACK>, () => Promise<{ default: Catalogue }>>>;

/** One file for each language, so that only the chosen one is loaded. English is always loaded. */
const FILES: Loaders = {
  ru: () => import('./ru.json'),
  de: () => import('./de.json'),
  zh: () => import('./zh.json'),
  fr: () => import('./fr.json'),
  pt: () => import('./pt.json'),
};

let choice: LanguageChoice = 'system';
let newest = 0;
const listeners = new Set<() => void>();

/** The stored choice, which the language menu shows as selected. */
export const languageChoice = (): LanguageChoice => choice;

export const onLanguageChoice = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

const note = (next: LanguageChoice): void => {
  choice = next;
  for (const listener of listeners) listener();
};

const fetchCatalogue = async (language: Language, files: Loaders): Promise<void> => {
  if (language === FALLBACK || i18next.hasResourceBundle(language, 'translation')) return;
  const { default: catalogue } = await files[language]();
  i18next.addResourceBundle(language, 'translation', catalogue);
};

/** Changes the language. Returns false if a later call has replaced this one, even if that one finished first. */
const setLanguage = async (language: Language, files: Loaders): Promise<boolean> => {
  newest += 1;
  const turn = newest;
  await Promise.all([fetchCatalogue(language, files), LazyTexts.loadAll(language)]);
  if (turn !== newest) return false;
  setLocale(pickLocale(language, navigator.languages));
  document.documentElement.lang = LANGUAGES[language].tag;
  await i18next.changeLanguage(language);
  return true;
};

const useChosen = (files: Loaders): Promise<boolean> =>
  setLanguage(pickLanguage(storage.language(), navigator.languages), files);

/**
 * Changes the language and stores the choice; `system` deletes the stored choice.
 * @throws if the catalogue can't be loaded; nothing changes then
 */
export const chooseLanguage = async (next: LanguageChoice, files = FILES): Promise<void> => {
  const language = pickLanguage(next === 'system' ? undefined : next, navigator.languages);
  const current = await setLanguage(language, files);
  if (!current) return;
  storage.setLanguage(next === 'system' ? undefined : next);
  note(next);
};

/**
 * Loads the stored language, else the browser's language, before the page is shown. Uses English if the catalogue can't
 * be loaded.
 */
export const startLanguage = async (files = FILES): Promise<void> => {
  const saved = storage.language();
  note(isLanguage(saved) ? saved : 'system');
  window.addEventListener('languagechange', () => void useChosen(files).catch(() => undefined));
  await useChosen(files).catch(() => setLanguage(FALLBACK, files));
};
