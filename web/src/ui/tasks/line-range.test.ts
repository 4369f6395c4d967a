import { describe, expect, it } from 'vitest';
import { lineAddress, lineRange, readLineAddress } from './line-range.ts';

describe('the lines in a URL', () => {
  it.each([
    [12, 12],
    ['12', 12],
    ['12-40', '12-40'],
    ['40-12', '12-40'],
    ['7-7', 7],
  ])('are read from %j', (value, address) => {
    expect(readLineAddress(value)).toBe(address);
  });

  it.each([[undefined], [0], [-3], ['0-4'], ['4-'], ['1e3'], ['4-5-6'], ['x'], [{}]])('are not %j', (value) => {
    expect(readLineAddress(value)).toBeUndefined();
  });

  it('have a first and a last line', () => {
    expect(lineRange(lineAddress(40, 12))).toEqual({ first: 12, last: 40 });
    expect(lineRange(12)).toEqual({ first: 12, last: 12 });
  });
});
