import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Language } from '@signalbox/contract';
import { describe, expect, it } from 'vitest';
import {
  blankErrors,
  keyErrors,
  punctuationErrors,
  sameErrors,
  staleNames,
  valueErrors,
} from '../../testing/catalogue-errors.ts';
import { ALERTS, END_REASONS, ERRORS, EVENTS, FAILURES } from './catalogues.ts';
import { LOCALES } from './locales.ts';

const CATALOGUES = { ALERTS, END_REASONS, ERRORS, EVENTS, FAILURES };

type Translation = Exclude<Language, 'en'>;

/** Texts that equal the English text because the language uses the same terms. Any other equal text was not translated. */
const SAME: Readonly<Record<keyof typeof CATALOGUES, Readonly<Record<Translation, readonly string[]>>>> = {
  ALERTS: {
    ru: [],
    de: ['Playbook', 'Version', 'Build', 'Commit', 'Build #{{id}}'],
    zh: ['Playbook'],
    fr: ['Playbook', 'Version', 'Build', 'Commit', 'Message', 'Arguments', 'Build #{{id}}'],
    pt: ['Playbook', 'Build', 'Commit', 'Build #{{id}}'],
  },
  ERRORS: { ru: ['Cron: {{why}}.'], de: ['Cron: {{why}}.'], zh: [], fr: [], pt: ['Cron: {{why}}.'] },
  END_REASONS: {
    ru: ['{{reason}}: {{detail}}'],
    de: ['{{reason}}: {{detail}}'],
    zh: [],
    fr: [],
    pt: ['{{reason}}: {{detail}}'],
  },
  FAILURES: {
    ru: [],
    de: [],
    zh: [],
    fr: [],
    pt: ['{{count}} host: {{what}}', '{{count}} hosts: {{what}}'],
  },
  EVENTS: { ru: [], de: ['Manager'], zh: [], fr: [], pt: ['{{number}} log', '{{number}} logs'] },
};

const AREAS = Object.keys(SAME) as (keyof typeof SAME)[];
const TRANSLATIONS = Language.options.filter((language) => language !== 'en');

it('every folder of catalogues has all languages and is tested here', () => {
  const root = join(import.meta.dirname, '..');
  const folders = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !['src', 'node_modules'].includes(entry.name))
    .map(({ name }) => name);
  const files = Language.options.map((language) => `${language}.json`).toSorted();
  for (const folder of folders) expect(readdirSync(join(root, folder)).toSorted(), folder).toEqual(files);
  expect(AREAS.toSorted()).toEqual(folders.map((folder) => folder.replaceAll('-', '_').toUpperCase()).toSorted());
});

describe.each(AREAS)('the catalogues %s', (area) => {
  const { en, ...translations } = CATALOGUES[area];

  it('have every plural form in English and no blank texts', () => {
    expect(keyErrors(en, en, 'en')).toEqual([]);
    expect(valueErrors(en, en)).toEqual([]);
    expect(blankErrors(en, en)).toEqual([]);
  });

  it.each(TRANSLATIONS)('have in %s the keys, plural forms and values of the English texts', (language) => {
    const catalogue = translations[language];
    expect(keyErrors(en, catalogue, LOCALES[language])).toEqual([]);
    expect(valueErrors(en, catalogue)).toEqual([]);
  });

  it.each(TRANSLATIONS)('have in %s no untranslated text and its punctuation', (language) => {
    const catalogue = translations[language];
    expect(sameErrors(en, catalogue, SAME[area][language])).toEqual([]);
    expect(staleNames(en, catalogue, SAME[area][language])).toEqual([]);
    expect(blankErrors(en, catalogue)).toEqual([]);
    expect(punctuationErrors(language, catalogue)).toEqual([]);
  });
});
