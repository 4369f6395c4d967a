import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const NAME = /^\0?virtual:texts\/([a-z]{2})\/(sign-in|console)$/;

/** The sections of a catalogue that the page needs before the user has signed in. */
export const SIGN_IN_SECTIONS: ReadonlySet<string> = new Set([
  'product',
  'action',
  'status',
  'signIn',
  'error',
  'language',
]);

/**
 * Divides each catalogue into the texts of the sign-in page and those of the console, so that the sign-in page does not
 * load the texts of every screen.
 * @param folder the folder of the catalogues
 */
export const textsPlugin = (folder = join(import.meta.dirname, '../src/lang')): Plugin => ({
  name: 'signalbox:texts',
  resolveId: (id) => (NAME.test(id) ? `\0${id}` : undefined),
  load(id) {
    const [, language, part] = NAME.exec(id) ?? [];
    if (language === undefined) return undefined;
    const file = join(folder, `${language}.json`);
    this.addWatchFile(file);
    const sections = Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>);
    const own = sections.filter(([name]) => SIGN_IN_SECTIONS.has(name) === (part === 'sign-in'));
    return `export const TEXTS = ${JSON.stringify(Object.fromEntries(own))};`;
  },
});
