import { ERROR_MESSAGES, Language, type MessageTable } from '@signalbox/contract';
import { describe, expect, it } from 'vitest';
import { INSTEAD_DESCRIPTIONS } from '../../contract/openapi/instead-descriptions.ts';
import { flatten, PLURAL } from '../../testing/catalogue-errors.ts';
import { END_REASONS, ERRORS } from './catalogues.ts';
import type { Catalogue } from './message-text.ts';

/** The parameters of each code by its text: every form of a plural has the same ones. */
const paramsIn = (catalogue: Catalogue): Record<string, string[]> =>
  Object.fromEntries(
    flatten(catalogue).map(([key, text]) => [
      key.replace(PLURAL, ''),
      [...new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name))].toSorted(),
    ]),
  );

const paramsOf = (table: MessageTable): Record<string, string[]> =>
  Object.fromEntries(Object.entries(table).map(([code, params]) => [code, [...params].toSorted()]));

// The server can raise only codes of the table: other codes, and missing parameters, do not compile.
describe('the error catalogue', () => {
  it.each(Language.options)('all have a text in %s, with the parameters of the table', (language) => {
    expect(paramsIn(ERRORS[language])).toEqual(paramsOf(ERROR_MESSAGES));
  });

  it('shares no code with the end reasons, whose messages can be part of an error', () => {
    expect(Object.keys(ERRORS.en).filter((code) => Object.hasOwn(END_REASONS.en, code))).toEqual([]);
  });

  it('describes refused fields like the description of the API', () => {
    const texts = Object.entries(ERRORS.en).filter(([code]) => code.startsWith('instead.'));
    expect(Object.fromEntries(texts)).toEqual(INSTEAD_DESCRIPTIONS);
  });
});
