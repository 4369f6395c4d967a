import { describe, expect, it } from 'vitest';
import { ApiError, errorText, isMissing } from './api-error.ts';

describe('the text of an error', () => {
  it.each([
    [
      'what the server said comes first',
      new ApiError(409, 'Conflict', { error: 'The name is taken.' }, 'x'),
      'The name is taken.',
    ],
    ['even at a 401', new ApiError(401, 'Unauthorized', { error: 'Sign in first.' }), 'Sign in first.'],
    [
      'then what the client says',
      new ApiError(0, '', {}, 'The server cannot be reached.'),
      'The server cannot be reached.',
    ],
    ['a bare 401 tells status and text', new ApiError(401, 'Unauthorized'), '401 Unauthorized'],
    ['a bare 401 without a text tells the status', new ApiError(401, ''), '401'],
    ['else the generic message', new ApiError(500, 'Internal Server Error'), 'Request failed with status code 500'],
    [
      'an empty sentence counts as none',
      new ApiError(502, 'Bad Gateway', { error: '' }),
      'Request failed with status code 502',
    ],
    ['any other error says what it says', new Error('Something else'), 'Something else'],
    ['what is no error is shown as it is', 'text', 'text'],
  ])('%s', (_, error, text) => {
    expect(errorText(error)).toBe(text);
  });

  it('knows the fields at fault, and none when the server names none', () => {
    expect(new ApiError(400, '', { fields: { name: 'is required' } }).fields).toEqual({ name: 'is required' });
    expect(new ApiError(400, '').fields).toEqual({});
  });
});

describe('what is not there', () => {
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
