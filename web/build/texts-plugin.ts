import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const LANG = join(import.meta.dirname, '../src/lang');
const NAME = /(?:^|\/)(?<language>[a-z]{2})\.(?<part>sign-in|console)\.texts\.js$/;

/** The sections of a catalogue that the page needs before the user has signed in, with its dialogs. */
export const SIGN_IN_SECTIONS: ReadonlySet<string> = new Set([
  'product',
  'action',
  'status',
  'signIn',
  'signInHelp',
  'error',
  'language',
]);

/**
 * Divides each catalogue into the texts of the sign-in page (`de.sign-in.texts.js`) and those of the console
 * (`de.console.texts.js`), so that the sign-in page does not load the texts of every screen. These files do not exist.
 * Their ids are paths, because a cached module asks for them by their address.
 */
export const textsPlugin = (): Plugin => ({
  name: 'signalbox:texts',
  enforce: 'pre',
  resolveId: (id) => {
    const [name] = NAME.exec(id) ?? [];
    return name === undefined ? undefined : join(LANG, name);
  },
  load(id) {
    const { language, part } = NAME.exec(id)?.groups ?? {};
    if (language === undefined) return undefined;
    const file = join(LANG, `${language}.json`);
    this.addWatchFile(file);
    const sections = Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>);
    const own = sections.filter(([name]) => SIGN_IN_SECTIONS.has(name) === (part === 'sign-in'));
    return `export const TEXTS = ${JSON.stringify(Object.fromEntries(own))};`;
  },
});
