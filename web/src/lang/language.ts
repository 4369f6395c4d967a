import i18next from 'i18next';
import { storage } from '../ui/browser/storage.ts';
import { isLanguage, LANGUAGES, type Language, pickLanguage, pickLocale } from './languages.ts';
import { LazyTexts } from './lazy-texts.ts';
import { setLocale } from './locale.ts';
import { FALLBACK } from './translate.ts';

/** The chosen language, or `system` for the language of the browser. */
export type LanguageChoice = Language | 'system';

/** The texts of the sign-in page, and those of the console behind it. */
type Part = 'signIn' | 'console';

type Texts = Readonly<Record<string, unknown>>;

type Loaders = Readonly<Record<Language, Readonly<Record<Part, () => Promise<{ TEXTS: Texts }>>>>>;

/** Two files for each language, so that only what is needed is loaded. */
const FILES: Loaders = {
  en: {
    signIn: () => import('./en.sign-in.texts.js'),
    console: () => import('./en.console.texts.js'),
  },
  ru: {
    signIn: () => import('./ru.sign-in.texts.js'),
    console: () => import('./ru.console.texts.js'),
  },
  de: {
    signIn: () => import('./de.sign-in.texts.js'),
    console: () => import('./de.console.texts.js'),
  },
  zh: {
    signIn: () => import('./zh.sign-in.texts.js'),
    console: () => import('./zh.console.texts.js'),
  },
  fr: {
    signIn: () => import('./fr.sign-in.texts.js'),
    console: () => import('./fr.console.texts.js'),
  },
  pt: {
    signIn: () => import('./pt.sign-in.texts.js'),
    console: () => import('./pt.console.texts.js'),
  },
};

/** A section of each part, which shows whether the part is loaded. */
const SECTIONS: Readonly<Record<Part, string>> = { signIn: 'signIn', console: 'task' };

let choice: LanguageChoice = 'system';
let newest = 0;
let isConsole = false;
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

const loadPart = async (language: Language, part: Part, files: Loaders): Promise<void> => {
  if (i18next.getResource(language, 'translation', SECTIONS[part]) !== undefined) return;
  const { TEXTS: texts } = await files[language][part]();
  i18next.addResourceBundle(language, 'translation', texts, true, true);
};

const loadTexts = async (language: Language, files: Loaders): Promise<void> => {
  const parts: readonly Part[] = isConsole ? ['signIn', 'console'] : ['signIn'];
  await Promise.all(parts.map((part) => loadPart(language, part, files)));
};

/** Changes the language. Returns false if a later call has replaced this one, even if that one finished first. */
const setLanguage = async (language: Language, files: Loaders): Promise<boolean> => {
  newest += 1;
  const turn = newest;
  await Promise.all([loadTexts(language, files), LazyTexts.loadAll(language)]);
  // The console may have been opened meanwhile.
  await loadTexts(language, files);
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
 * @throws if the texts can't be loaded; nothing changes then
 */
export const chooseLanguage = async (next: LanguageChoice, files = FILES): Promise<void> => {
  const language = pickLanguage(next === 'system' ? undefined : next, navigator.languages);
  const current = await setLanguage(language, files);
  if (!current) return;
  storage.setLanguage(next === 'system' ? undefined : next);
  note(next);
};

/** Loads the texts of the console in advance. The page stays as it is if that fails. */
export const preloadConsoleTexts = (files = FILES): Promise<void> =>
  loadPart(i18next.language as Language, 'console', files);

/**
 * Loads the texts of the console in the language of the page. Uses English if they can't be loaded. Until then the page
 * has only the texts of its sign-in.
 */
export const loadConsoleTexts = async (files = FILES): Promise<void> => {
  isConsole = true;
  await loadTexts(i18next.language as Language, files).catch(() => setLanguage(FALLBACK, files));
};

/**
 * Loads the stored language, else the browser's language, before the page is shown. Uses English if the texts can't be
 * loaded.
 */
export const startLanguage = async (files = FILES): Promise<void> => {
  const saved = storage.language();
  note(isLanguage(saved) ? saved : 'system');
  window.addEventListener('languagechange', () => void useChosen(files).catch(() => undefined));
  await useChosen(files).catch(() => setLanguage(FALLBACK, files));
};
