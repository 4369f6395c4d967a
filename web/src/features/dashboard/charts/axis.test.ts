import { describe, expect, it } from 'vitest';
import { labelledDays, roundUp, roundUpDuration } from './axis.ts';

describe('the end of an axis', () => {
  it.each([
    [0, 1],
    [1, 1],
    [2, 2],
    [3, 5],
    [6, 10],
    [11, 20],
    [200, 200],
    [201, 500],
    [999, 1000],
  ])('for %i is %i', (value, end) => {
    expect(roundUp(value)).toBe(end);
  });

  it.each([
    [3, 10],
    [61, 120],
    [3600, 3600],
    [100_000, 172_800],
  ])('for %i seconds is %i', (seconds, end) => {
    expect(roundUpDuration(seconds)).toBe(end);
  });
});

describe('the labelled days of an axis', () => {
  it.each([
    [14, [0, 6, 13]],
    [2, [0, 1]],
    [1, [0]],
    [0, []],
  ])('of %i are %j', (count, days) => {
    expect(labelledDays(count)).toEqual(days);
  });
});
