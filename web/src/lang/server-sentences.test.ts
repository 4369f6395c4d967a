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
const SAME = { ru: ['Cron: {{why}}.'], de: ['Cron: {{why}}.', 'Manager'], zh: [], fr: [], pt: ['Cron: {{why}}.'] };

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

/** What is put together of a noun or a word and what it is about: each part stands in the source. */
const COMPOSED: readonly RegExp[] = [
  /^(Template|Inventory|Environment|Repository|Key|View|Schedule|Alert receiver) \{\} (created|changed|deleted)$/,
  /^Schedule \{\} (?:of \{\} )?(paused|resumed|changed and (?:paused|resumed)|missed .*|started no task .*|goes by .*)$/,
  /^Task #\{\} of \{\} (succeeded|failed|was stopped|started.*|was asked to stop.*)$/,
  /^\{\} task(?: and \{\} log)? removed: .*$|^\{\} log removed: .*$/,
  /^.* tested on runner \{\}$/,
  /^(Owner|Manager|Task Runner|Guest)$/,
];

/** How the source puts them together. */
const FRAMES = [
  'Schedule {} of {} {}',
  'Task #{} of {} {}',
  '{} on runner {}',
  'A key that is not saved tested',
  'Access to {} tested',
];

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
  const isKnown = (one: string) =>
    known.includes(one) ||
    FRAMES.includes(one) ||
    FOR_PROGRAMS.some((form) => form.test(one)) ||
    COMPOSED.some((form) => form.test(one));

  it('are all known, of those that are refused and told in a project', () => {
    const found = sources.flatMap(({ name, text }) => said(text).map((one) => `${name}: ${one}`));
    expect(found.length).toBeGreaterThan(10);
    const places = ['first-admin.ts', 'users.routes.ts', 'open-session.ts', 'runners.routes.ts', 'token.store.ts'];
    const missing = found.filter((one) => {
      const [name = '', ...rest] = one.split(': ');
      // What happens to users, runners and tokens belongs to no project, and no page shows it.
      const isShown = !(places.includes(name) && /^(User|Runner|API token|Password of) /.test(rest.join(': ')));
      return isShown && !isKnown(rest.join(': '));
    });
    expect(missing).toEqual([]);
  });

  it('are none that the server does not say any more', () => {
    expect(FRAMES.filter((one) => !shapes.includes(one))).toEqual([]);
    const stale = known.filter((one) => !shapes.includes(one) && !COMPOSED.some((form) => form.test(one)));
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
    ['Task #7 of Deploy web started', 'Aufgabe #7 der Vorlage Deploy web gestartet'],
    ['Task #7 of Web started by schedule nightly', 'Aufgabe #7 der Vorlage Web vom Zeitplan nightly gestartet'],
    ['Task #7 of Web was asked to stop by force', 'Aufgabe #7 der Vorlage Web soll sofort anhalten'],
    [
      '1 task and 12 logs removed: older than what is to be kept',
      'Nach Ablauf der Aufbewahrung entfernt: Aufgaben: 1, Logs: 12',
    ],
    ['mara is now Owner', 'mara ist jetzt Eigentümer'],
    ['Key Owner created', 'Schlüssel Owner angelegt'],
    ['Template a (b) [c] deleted', 'Vorlage a (b) [c] gelöscht'],
    [
      'Web could not start after build 1.2: Your role does not permit this.',
      'Web konnte nach Build 1.2 nicht starten: Die eigene Rolle erlaubt das nicht.',
    ],
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
