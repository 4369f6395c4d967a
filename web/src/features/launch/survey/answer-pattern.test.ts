import { expect, it } from 'vitest';
import { mayMatch } from './answer-pattern.ts';

it.each([
  ['\\d+\\.\\d+', '2.4', true],
  ['\\d+\\.\\d+', '2', false],
  ['a|b', 'ab', false],
  ['[a-z]{2}', 'abc', false],
  // Only the server decides about these.
  ['(a+)+', 'b', true],
  ['a*a*a*a*b', 'c', true],
  ['(?P<major>\\d)', 'x', true],
  ['[[:digit:]]', 'x', true],
  ['(', 'x', true],
  ['x', 'y'.repeat(201), true],
])('the browser decides about the pattern %j and the text %j: %j', (pattern, text, matches) => {
  expect(mayMatch({ pattern }, text)).toBe(matches);
});
