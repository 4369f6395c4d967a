import i18next from 'i18next';
import type { Language } from './languages.ts';
import { FALLBACK } from './say.ts';
import { type Sentences, sentenceReader } from './server-sentences.ts';

type File = { default: Readonly<Record<string, string>> };

export type SentenceFiles = Readonly<Record<Language, () => Promise<File>>>;

/** A file of its own each, and none of them before the server has said something. */
const FILES: SentenceFiles = {
  en: () => import('./server/en.json'),
  ru: () => import('./server/ru.json'),
  de: () => import('./server/de.json'),
  zh: () => import('./server/zh.json'),
  fr: () => import('./server/fr.json'),
  pt: () => import('./server/pt.json'),
};

const readers = new Map<string, (said: string) => string>();
let wereNeeded = false;

const fetchSentences = async (language: Language, files: SentenceFiles): Promise<Sentences> => {
  const [english, translated] = await Promise.all([files.en(), files[language]()]);
  return { english: english.default, translated: translated.default };
};

const load = async (language: Language, files: SentenceFiles): Promise<void> => {
  if (language === FALLBACK || readers.has(language)) return;
  // Without them the sentence is shown in English: worse than in the reader's language, and better than not at all.
  const sentences = await fetchSentences(language, files).catch(() => undefined);
  if (sentences) readers.set(language, sentenceReader(sentences));
};

/** Makes the sentences of the server ready in the language that is spoken: to be awaited before one of them is shown. */
export const awaitServerWords = async (files = FILES): Promise<void> => {
  wereNeeded = true;
  await load(i18next.language as Language, files);
};

/** The same for a language that will be spoken: what the server has said already is shown in it too. */
export const followServerWords = async (language: Language, files = FILES): Promise<void> => {
  if (wereNeeded) await load(language, files);
};

/** A sentence of the server in the language that is spoken; English where it is not known. */
export const serverWords = (said: string): string => readers.get(i18next.language)?.(said) ?? said;
