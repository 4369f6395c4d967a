import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  blankFaults,
  keyFaults,
  markFaults,
  sameFaults,
  staleWords,
  valueFaults,
} from '../../../testing/catalogue-faults.ts';
import { LANGUAGES } from './languages.ts';
import de from './server/de.json';
import english from './server/en.json';
import fr from './server/fr.json';
import pt from './server/pt.json';
import ru from './server/ru.json';
import zh from './server/zh.json';
import { sentenceReader } from './server-sentences.ts';

const TRANSLATIONS = { ru, de, zh, fr, pt };
const SAME = { ru: ['Cron: {{why}}.'], de: ['Cron: {{why}}.'], zh: [], fr: [], pt: ['Cron: {{why}}.'] };

const ROOT = join(import.meta.dirname, '..', '..', '..');

/** Every value in a text of the source or of the catalogue as `{}`, however it is put together. */
const shape = (text: string): string => {
  let shaped = text.replaceAll(/\{\{\w+\}\}/g, '{}').replaceAll('(s)', '');
  for (let before = ''; before !== shaped; ) {
    before = shaped;
    shaped = shaped.replaceAll(/\$\{[^{}$]*(?:\{\}[^{}$]*)*\}/g, '{}');
  }
  return shaped;
};

const sources = ['server/src', 'contract/src'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter(({ name, parentPath }) => /(?<!\.test)\.ts$/.test(name) && !/\/(testing|commands)$/.test(parentPath))
    .map(({ name, parentPath }) => ({ name, text: readFileSync(join(parentPath, name), 'utf8') })),
);

// The sentences of the runner about a key that cannot be used are shown as the reason of a task or of a test of access.
sources.push({ name: 'ssh-key.ts', text: readFileSync(join(ROOT, 'runner/src/access/ssh-key.ts'), 'utf8') });

// Reasons within activity entries are sentences of errors.
sources.push({ name: 'en.json', text: readFileSync(join(ROOT, 'lang/errors/en.json'), 'utf8') });

const shapes = sources.map(({ text }) => shape(text)).join('\n');

/** Sentences that only a program, or somebody who writes requests by hand, gets to read. */
const FOR_PROGRAMS = [
  /^The body|^The request|^The address|^The length|^Send the body|^The call \{\} /,
  /^The file is in a repository: say in which one/,
  /^Too many long answers are still being read/,
  /^Incorrect login or password$/,
];

/** What is refused and what is told, as it stands in the source. */
const said = (text: string): string[] =>
  [
    ...text.matchAll(
      /(?:\bconflict\(\s*|new ApiError\(\s*'\w+',\s*|taken(?:Message)?\(\s*|\bdescription: |NO_RUNNER =\s*|new CronError\(\s*|\bwhy =\s*key\.passphrase === ''\s*\?\s*)(?:'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`)/g,
    ),
  ]
    .map(([, plain, template]) => shape(plain ?? template ?? ''))
    .filter((one) => /[a-z]{3,} /.test(one));

describe('the sentences of the server', () => {
  const known = Object.values(english).map(shape);
  const isKnown = (one: string) => known.includes(one) || FOR_PROGRAMS.some((form) => form.test(one));

  it('are all known, of those that are refused and told in a project', () => {
    const found = sources.flatMap(({ name, text }) => said(text).map((one) => `${name}: ${one}`));
    expect(found.length).toBeGreaterThan(0);
    const missing = found.filter((one) => !isKnown(one.split(': ').slice(1).join(': ')));
    expect(missing).toEqual([]);
  });

  it('are none that the server does not say any more', () => {
    const stale = known.filter((one) => !shapes.includes(one));
    expect(stale).toEqual([]);
  });

  it.each(Object.entries(TRANSLATIONS))('are whole in %s', (code, catalogue) => {
    const language = code as keyof typeof TRANSLATIONS;
    expect(keyFaults(english, catalogue, LANGUAGES[language].tag)).toEqual([]);
    expect(valueFaults(english, catalogue)).toEqual([]);
    expect(sameFaults(english, catalogue, SAME[language])).toEqual([]);
    expect(staleWords(english, catalogue, SAME[language])).toEqual([]);
    expect(blankFaults(english, catalogue)).toEqual([]);
    expect(markFaults(language, catalogue)).toEqual([]);
  });
});

describe('a sentence of the server', () => {
  const read = sentenceReader({ english, translated: de });

  it.each([
    ['Sign in first.', 'Bitte zuerst anmelden.'],
    [
      'Cron: the minute must be a number from 0 to 59, not 61.',
      'Cron: die Minute muss eine Zahl von 0 bis 59 sein, nicht 61.',
    ],
    [
      'the month must be a number from 1 to 12 or a name such as FEB, not 13',
      'der Monat muss eine Zahl von 1 bis 12 oder ein Name wie FEB sein, nicht 13',
    ],
    ['fatal: repository not found', 'fatal: repository not found'],
  ])('%j is read as %j', (text, words) => {
    expect(read(text)).toBe(words);
  });
});
