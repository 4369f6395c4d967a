import { describe, expect, it } from 'vitest';
import { LineHeights } from './line-heights.ts';

describe('the heights of lines', () => {
  it('add up in any order in which they are measured', () => {
    const heights = new LineHeights();
    expect(heights.before(1_000_000)).toBe(0);
    heights.set(5, 40);
    heights.set(2, 20);
    heights.set(900_000, 60);
    expect([1, 2, 3, 5, 6, 900_000, 900_001, 5_000_000].map((line) => heights.before(line))).toEqual([
      0, 0, 20, 20, 60, 60, 120, 120,
    ]);
    expect(heights.of(5)).toBe(40);
    expect(heights.of(6)).toBe(0);
  });

  it('are reported when they are new, and removed when their line changes', () => {
    const heights = new LineHeights();
    expect(heights.set(3, 20)).toBe(true);
    expect(heights.set(3, 20)).toBe(false);
    expect(heights.set(4, 0)).toBe(false);
    expect(heights.set(3, 0)).toBe(true);
    expect(heights.before(10)).toBe(0);
  });
});
