import { describe, expect, it } from 'vitest';
import { median, percentile, shown } from './statistics.ts';

describe('percentile', () => {
  it('returns a measured value, whatever their order', () => {
    const values = [5, 1, 4, 2, 3];
    expect(percentile(values, 0.5)).toBe(3);
    expect(percentile(values, 0.95)).toBe(5);
    expect(percentile(values, 0.2)).toBe(1);
    expect(percentile(values, 0)).toBe(1);
  });
  it('returns NaN without values', () => {
    expect(percentile([], 0.5)).toBeNaN();
  });
});

describe('median', () => {
  it('is the middle value, or the mean of the two middle values', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([1, 2, 4, 100])).toBe(3);
    expect(median([])).toBeNaN();
  });
});

describe('shown', () => {
  it('groups thousands, and rounds to the requested number of digits', () => {
    expect(shown(1234567.891)).toBe('1,234,568');
    expect(shown(1.5, 2)).toBe('1.50');
  });
});
