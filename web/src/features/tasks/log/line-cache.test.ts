import { describe, expect, it } from 'vitest';
import { BLOCK_LINES, firstOf, LineCache, type LogLine } from './line-cache.ts';

const lines = (from: number, count: number): LogLine[] =>
  Array.from({ length: count }, (_, at) => [from + at, `line ${from + at}`]);

describe('the cache of lines', () => {
  it('returns stored lines by their numbers', () => {
    const cache = new LineCache();
    cache.put(498, lines(498, 5));
    expect(cache.get(498)?.[1]).toBe('line 498');
    expect(cache.get(500)?.[1]).toBe('line 500');
    expect(cache.get(501)?.[1]).toBe('line 501');
    expect(cache.get(497)).toBeUndefined();
    expect(cache.get(503)).toBeUndefined();
  });

  it('does not replace a line that it contains, because a stored line never changes', () => {
    const cache = new LineCache();
    cache.put(1, [[1, 'first']]);
    cache.put(1, [
      [2, 'other'],
      [3, 'second'],
    ]);
    expect(cache.get(1)).toEqual([1, 'first']);
    expect(cache.get(2)).toEqual([3, 'second']);
  });

  it.each([
    { put: [1, 500], asked: [1, 500], missing: [] },
    { put: [1, 499], asked: [1, 499], missing: [] },
    { put: [1, 499], asked: [1, 500], missing: [0] },
    { put: [501, 500], asked: [400, 600], missing: [0] },
    { put: [501, 500], asked: [501, 1000], missing: [] },
    { put: [1, 1], asked: [1, 1600], missing: [0, 1, 2, 3] },
    { put: [600, 10], asked: [598, 612], missing: [1] },
  ])('finds the blocks with missing lines: $put stored, $asked requested', ({ put, asked, missing }) => {
    const cache = new LineCache();
    cache.put(put[0] ?? 0, lines(put[0] ?? 0, put[1] ?? 0));
    expect(cache.missing(asked[0] ?? 0, asked[1] ?? 0)).toEqual(missing);
  });

  it('removes the least recently used blocks', () => {
    const cache = new LineCache(3);
    for (const block of [0, 1, 2]) cache.put(firstOf(block), lines(firstOf(block), BLOCK_LINES));
    cache.missing(1, 10);
    cache.put(firstOf(3), lines(firstOf(3), 1));
    expect(cache.blocks).toBe(3);
    expect(cache.get(1)?.[1]).toBe('line 1');
    expect(cache.get(firstOf(1))).toBeUndefined();
    expect(cache.get(firstOf(2))).toBeDefined();
  });

  it('stays small while a million lines are stored', () => {
    const cache = new LineCache(20);
    for (let from = 1; from <= 1_000_000; from += 5000) cache.put(from, lines(from, 5000));
    expect(cache.blocks).toBe(20);
    expect(cache.get(1_000_000)?.[1]).toBe('line 1000000');
    expect(cache.get(1)).toBeUndefined();
  });
});
