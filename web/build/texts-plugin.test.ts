import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { TEXTS as CONSOLE } from '../src/lang/de.console.texts.js';
import whole from '../src/lang/de.json';
import { TEXTS as SIGN_IN } from '../src/lang/de.sign-in.texts.js';
import { SIGN_IN_SECTIONS } from './texts-plugin.ts';

const SOURCES = join(import.meta.dirname, '../src');

/** Names of options in errors and activity, which the sign-in page never shows. */
const NOT_SHOWN = join(SOURCES, 'lang/option-labels.ts');

/** The first file of the console behind the sign-in, which has its own texts. */
const CONSOLE_APP = join(SOURCES, 'app/app.tsx');

const IMPORTS = /^(?:import|export)[^;]*? from '(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm;

/** The files that are loaded with these ones or later, such as those of a dialog, without the console. */
const filesFrom = (...names: string[]): Set<string> => {
  const found = new Set<string>();
  const next = names.map((name) => join(SOURCES, name));
  for (let file = next.pop(); file !== undefined; file = next.pop()) {
    if (found.has(file) || file === CONSOLE_APP || !/\.tsx?$/.test(file) || !existsSync(file)) continue;
    found.add(file);
    for (const [statement, now, later = now] of readFileSync(file, 'utf8').matchAll(IMPORTS))
      if (later !== undefined && !statement.startsWith('import type')) next.push(resolve(dirname(file), later));
  }
  return found;
};

it('the two parts of a catalogue are the whole', () => {
  expect({ ...SIGN_IN, ...CONSOLE }).toEqual(whole);
  expect(Object.keys(SIGN_IN).every((name) => SIGN_IN_SECTIONS.has(name))).toBe(true);
  expect(JSON.stringify(SIGN_IN).length * 10).toBeLessThan(JSON.stringify(whole).length);
});

it('the sign-in page and its dialogs use only texts of their part', () => {
  const files = filesFrom('main.tsx', 'app/sign-in-app.tsx');
  expect(files.size).toBeGreaterThan(20);
  const sections = new Set(Object.keys(whole));
  const used = [...files]
    .filter((file) => file !== NOT_SHOWN)
    .flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/'([a-zA-Z]+)(?:\.[a-zA-Z]+)+'/g)].map(([, section = '']) => section),
    );
  expect([...new Set(used)].filter((section) => sections.has(section) && !SIGN_IN_SECTIONS.has(section))).toEqual([]);
});
