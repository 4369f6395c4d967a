import { expect, it } from 'vitest';
import { oneLineText } from './one-line-text.ts';

it.each([
  ['Move\tthe playbook', 'Move the playbook'],
  ['Fix \u202egnp.exe', String.raw`Fix \u202egnp.exe`],
  ['a\u2066b\u2069 \u200bc\ufeff', String.raw`a\u2066b\u2069 \u200bc\ufeff`],
  ['\u001b[31mred\u0007', String.raw`\u001b[31mred\u0007`],
  ['tag \u{e0041}', String.raw`tag \u{e0041}`],
  ['👩‍🚀 ünï می‌خواهم', '👩‍🚀 ünï می‌خواهم'],
])('%j is shown as one visible line', (text, shown) => {
  expect(oneLineText(text, 100)).toBe(shown);
});

it('a text is cut without half a character', () => {
  expect(oneLineText('ab😀', 3)).toBe('ab\ufffd');
});
