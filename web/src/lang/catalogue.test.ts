import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { flatten, PLURAL } from '../../../testing/catalogue-errors.ts';
import en from './en.json';
import { translate } from './translate.ts';

const texts = flatten(en);
const keys = new Set(texts.map(([key]) => key.replace(PLURAL, '')));
const groups = new Set(texts.map(([key]) => key.split('.')[0] ?? ''));

const sources = readdirSync(join(import.meta.dirname, '..'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
  .map((entry) => ({
    name: join(entry.parentPath, entry.name),
    text: readFileSync(join(entry.parentPath, entry.name), 'utf8'),
  }));

const withoutComments = (text: string): string => text.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '');

/** Every literal with the form of a catalogue key: a known group, a dot and names. Property names are codes, not keys. */
const literals = (text: string): string[] =>
  [...withoutComments(text).matchAll(/'([a-zA-Z]+(?:\.[a-zA-Z]+)+)'(?!:)/g)]
    .map(([, key = '']) => key)
    .filter((key) => groups.has(key.split('.')[0] ?? ''));

/** Literal first arguments of `t(...)`, whatever their form is. */
const asked = (text: string): string[] =>
  [...withoutComments(text).matchAll(/\b(?:t|translate)\(\s*'([^']+)'/g)].map(([, key = '']) => key);

/** Texts between tags that are not from the catalogue. */
const bareTexts = (text: string): string[] =>
  [...withoutComments(text).matchAll(/(?<=[^=]>)\s*([^<>{}()=;]*[A-Za-z]{2,}[^<>{}()=;]*?)\s*<\/[a-zA-Z]/g)].map(
    ([, text = '']) => text,
  );

/** Attributes that are read by people, with a text of their own. */
const bareAttributes = (text: string): string[] =>
  [...withoutComments(text).matchAll(/\b(?:aria-label|title|label|alt|placeholder)="([^"]*[A-Za-z]{2,}[^"]*)"/g)].map(
    ([, text = '']) => text,
  );

describe('the catalogue', () => {
  it('is found next to the sources', () => {
    expect(keys.size).toBeGreaterThan(150);
    expect(sources.length).toBeGreaterThan(80);
  });

  it('has every key that the source uses', () => {
    const missing = sources.flatMap(({ name, text }) =>
      [...asked(text), ...literals(text)].filter((key) => !keys.has(key)).map((key) => `${name}: ${key}`),
    );
    expect(missing).toEqual([]);
  });

  it('has no unused key', () => {
    const used = new Set(sources.flatMap(({ text }) => [...asked(text), ...literals(text)]));
    expect([...keys].filter((key) => !used.has(key))).toEqual([]);
  });

  it('contains every text that is between tags or in an attribute', () => {
    const bare = sources
      .filter(({ name }) => name.endsWith('.tsx'))
      .flatMap(({ name, text }) => [...bareTexts(text), ...bareAttributes(text)].map((text) => `${name}: ${text}`));
    expect(bare).toEqual([]);
  });

  it('is checked by a test that finds planted errors', () => {
    expect(asked("t('nothing.here', { count })")).toEqual(['nothing.here']);
    expect(bareTexts('<p className={css.a}>Hello there</p>')).toEqual(['Hello there']);
    expect(bareTexts('<p>{t(name)}</p>')).toEqual([]);
    expect(bareAttributes('<input placeholder="Type here" />')).toEqual(['Type here']);
  });

  it('has both plural forms of every text with a count', () => {
    const forms = texts.filter(([key]) => PLURAL.test(key)).map(([key]) => key);
    const lonely = forms.filter((key) => {
      const base = key.replace(PLURAL, '');
      return !forms.includes(`${base}_one`) || !forms.includes(`${base}_other`);
    });
    expect(lonely).toEqual([]);
  });

  it('contains the texts of the specification unchanged', () => {
    expect(translate('signIn.wrong')).toBe('Incorrect login or password');
    expect(translate('project.nameRequired')).toBe('Project name is required');
    expect(translate('project.integer')).toBe('Must be integer');
    expect(translate('project.notNegative')).toBe('Must be 0 or greater');
    expect(translate('newTask.readOnly')).toBe('You have read-only access');
    expect(translate('shell.refresh')).toBe('Refresh Page');
    expect(translate('shell.newProject')).toBe('New project...');
    expect(translate('task.forceStop')).toBe('Force Stop');
  });
});
