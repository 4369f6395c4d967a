import { describe, expect, it } from 'vitest';
import { isCountText, isMinutesText, minutesText, secondsOf } from './number-text.ts';

describe('numbers in inputs', () => {
  it.each([
    ['', true],
    [' 8 ', true],
    ['1000', true],
    ['1001', false],
    ['0', false],
    ['1.5', false],
    ['-1', false],
    ['many', false],
  ])('count up to 1000: %j', (text, isFine) => {
    expect(isCountText(text, 1000)).toBe(isFine);
  });

  it.each([
    [0, ''],
    [90, '1.5'],
    [60, '1'],
    [100, '1.67'],
  ])('show %d seconds as minutes', (seconds, text) => {
    expect(minutesText(seconds)).toBe(text);
  });

  it('are read as minutes with a comma or a point', () => {
    expect(['', '1,5', '1.5', ' 2 '].map(secondsOf)).toEqual([0, 90, 90, 120]);
    expect(['', '1,5', '.5', 'ten', '1:30'].map(isMinutesText)).toEqual([true, true, true, false, false]);
  });
});
