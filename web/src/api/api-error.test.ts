import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorTexts } from '../lang/error-texts.ts';
import { chooseLanguage } from '../lang/language.ts';
import { ApiError, errorText, isMissing } from './api-error.ts';

describe('errorText', () => {
  it.each([
    [
      'the message of the server comes first',
      new ApiError(409, 'Conflict', { error: 'The name is taken.' }, 'x'),
      'The name is taken.',
    ],
    ['even at a 401', new ApiError(401, 'Unauthorized', { error: 'Sign in first.' }), 'Sign in first.'],
    [
      'then the message of the client',
      new ApiError(0, '', {}, "The server can't be reached. Check the connection and try again."),
      "The server can't be reached. Check the connection and try again.",
    ],
    ['a bare 401 shows status and text', new ApiError(401, 'Unauthorized'), '401 Unauthorized'],
    ['a bare 401 without a text shows the status', new ApiError(401, ''), '401'],
    ['else the generic message', new ApiError(500, 'Internal Server Error'), 'Request failed with status code 500'],
    [
      'an empty message counts as none',
      new ApiError(502, 'Bad Gateway', { error: '' }),
      'Request failed with status code 502',
    ],
    ['any other error shows its own message', new Error('Something else'), 'Something else'],
    ['what is no error is shown as it is', 'text', 'text'],
  ])('%s', (_, error, text) => {
    expect(errorText(error)).toBe(text);
  });

  it('returns the fields with errors, and no fields when the server names none', () => {
    expect(new ApiError(400, '', { fields: { name: 'is required' } }).fields).toEqual({ name: 'is required' });
    expect(new ApiError(400, '').fields).toEqual({});
  });
});

describe('an error message in another language', () => {
  beforeAll(async () => {
    await chooseLanguage('de');
    await errorTexts.load();
  });
  afterAll(() => chooseLanguage('en'));

  it('is made from the code and the parameters of the error', () => {
    const answer = { error: 'The English text.', code: 'conflict.task_ended', params: { id: 7 } };
    expect(errorText(new ApiError(409, '', answer))).toBe('Aufgabe #7 ist schon beendet.');
    const why = { code: 'cron.empty_value', params: { field: { code: 'cron_field.minute' }, min: 0, max: 59 } };
    expect(errorText(new ApiError(400, '', { ...answer, code: 'bad_input.cron', params: { why } }))).toBe(
      'Cron: die Minute muss eine Zahl von 0 bis 59 sein und darf nicht leer sein.',
    );
  });

  it('contains the translated message of each field, and one message made of them', () => {
    const error = new ApiError(400, '', {
      error: 'name is required; limit must be a whole number from 1 to 9.',
      code: 'bad_input',
      fields: { name: 'is required', limit: 'must be a whole number from 1 to 9' },
      field_codes: { name: { code: 'field.required' }, limit: { code: 'field.whole', params: { min: 1, max: 9 } } },
    });
    expect(error.fields).toEqual({ name: 'ist erforderlich', limit: 'muss eine ganze Zahl von 1 bis 9 sein' });
    expect(errorText(error)).toBe(
      'name: ist erforderlich; Auf Hosts begrenzen: muss eine ganze Zahl von 1 bis 9 sein.',
    );
  });

  it('names the options of a run as the forms do', () => {
    const fields = { 'launch_values.runner_tags': 'is required' };
    const field_codes = { 'launch_values.runner_tags': { code: 'field.required' } };
    const error = 'launch_values.runner_tags is required.';
    const refused = new ApiError(400, '', { error, code: 'bad_input', fields, field_codes });
    expect(errorText(refused)).toBe('Runner-Tags: ist erforderlich.');
  });

  it('is shown in English when the page does not know the code of the error or of a part of it', () => {
    const error = 'Something new.';
    expect(errorText(new ApiError(409, '', { error, code: 'conflict.from_a_newer_server' }))).toBe(error);
    const why = { code: 'cron.from_a_newer_server' };
    expect(errorText(new ApiError(400, '', { error, code: 'bad_input.cron', params: { why } }))).toBe(error);
    const fields = { name: 'is new' };
    const field_codes = { name: { code: 'field.from_a_newer_server' } };
    const newer = new ApiError(400, '', { error: 'name is new.', code: 'bad_input', fields, field_codes });
    expect([errorText(newer), newer.fields]).toEqual(['name is new.', fields]);
  });
});

describe('isMissing', () => {
  it.each([
    [new ApiError(404, 'Not Found'), true],
    [new ApiError(400, 'Bad Request'), true],
    [new ApiError(403, 'Forbidden'), false],
    [new ApiError(503, 'Service Unavailable'), false],
    [new Error('offline'), false],
    [null, false],
  ])('%s: %s', (error, missing) => {
    expect(isMissing(error)).toBe(missing);
  });
});
