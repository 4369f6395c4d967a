import type { Language, Message } from '@signalbox/contract';
import { type Catalogue, type MakeText, textsIn } from '@signalbox/lang';
import i18next from 'i18next';
import { FALLBACK } from './translate.ts';

type Files = () => Promise<readonly Catalogue[]>;

/** The catalogues by language. English ones are needed for texts that the page makes itself. */
export type CatalogueFiles = Readonly<Record<Exclude<Language, typeof FALLBACK>, Files>> &
  Readonly<Partial<Record<typeof FALLBACK, Files>>>;

/**
 * Texts for the codes of the server, whose catalogues are loaded when the first one is needed. Without an English
 * catalogue, the English texts of the server are used.
 */
export class LazyTexts {
  static readonly #all = new Set<LazyTexts>();
  readonly #files: CatalogueFiles;
  readonly #makers = new Map<string, MakeText>();
  #isNeeded = false;

  constructor(files: CatalogueFiles) {
    this.#files = files;
    LazyTexts.#all.add(this);
  }

  /** Loads the catalogues that are in use for another language, before the console changes to it. */
  static async loadAll(language: Language): Promise<void> {
    await Promise.all([...LazyTexts.#all].filter((one) => one.#isNeeded).map((one) => one.load(language)));
  }

  /** Loads the catalogues of a language. If that fails, texts stay in English. */
  async load(language = i18next.language as Language): Promise<void> {
    this.#isNeeded = true;
    if (this.#makers.has(language)) return;
    const catalogues = await this.#files[language]?.().catch(() => undefined);
    if (catalogues) this.#makers.set(language, textsIn(language, catalogues));
  }

  /**
   * The text of a message in the language of the console.
   * @param english the text of the server, for English and for codes that this page does not know
   */
  text(message: Message | undefined, english: string): string {
    if (!message || i18next.language === FALLBACK) return english;
    return this.#makers.get(i18next.language)?.(message) ?? english;
  }

  /**
   * The text of a message of the page itself. Needs the English catalogue too.
   * @param unknown the text for a code that this page does not know
   */
  own(message: Message, unknown: string = message.code): string {
    return this.#makers.get(i18next.language)?.(message) ?? unknown;
  }
}
