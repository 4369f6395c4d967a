import { expect, it } from 'vitest';
import { decodeLines, encodeLines, type Line } from './block-codec.ts';

it('encoded lines are decoded unchanged, whatever their times are', () => {
  const lines: Line[] = [
    [1_700_000_000_000, 'one'],
    [1_699_999_999_000, ''],
    [1_700_000_000_001, '\ttab and 日本'],
  ];
  expect(decodeLines(encodeLines(lines))).toEqual(lines);
});

it('decoding a block stops at anything that is not a line', () => {
  expect(decodeLines(Buffer.from('0\ta\nb\n'))).toEqual([[0, 'a']]);
  expect(decodeLines(Buffer.from('0\ta\n1\tb'))).toEqual([[0, 'a']]);
});
