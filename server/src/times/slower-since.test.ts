import { expect, it } from 'vitest';
import { slowerSince } from './slower-since.ts';

const seconds = (...values: number[]) => values.map((value) => value * 1_000);

it('the first slower run is found, also with outliers on both sides', () => {
  expect(slowerSince(seconds(60, 61, 59, 60, 62, 90, 91, 89, 90, 92))).toBe(5);
  expect(slowerSince(seconds(60, 300, 59, 60, 61, 60, 90, 91, 20, 89, 92, 90))).toBe(6);
});

it('single slow runs, small differences and few runs are no change', () => {
  expect(slowerSince(seconds(60, 61, 59, 60, 61, 60, 61, 59, 60, 300))).toBeUndefined();
  expect(slowerSince(seconds(60, 61, 59, 60, 61, 66, 67, 66, 65, 66))).toBeUndefined();
  expect(slowerSince(seconds(1, 1, 1, 1, 1, 2, 2, 2, 2, 2))).toBeUndefined();
  expect(slowerSince(seconds(60, 60, 60, 60, 90, 90, 90, 90))).toBeUndefined();
});

it('a template that became faster, or whose runs vary, is not slower', () => {
  expect(slowerSince(seconds(90, 91, 89, 90, 92, 60, 61, 59, 60, 62))).toBeUndefined();
  expect(slowerSince(seconds(60, 120, 60, 120, 61, 121, 60, 119, 60, 120))).toBeUndefined();
});
