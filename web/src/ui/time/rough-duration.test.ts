import { describe, expect, it } from 'vitest';
import { roughDuration } from './time.ts';

describe('a rough duration', () => {
  it.each([
    [2_000, 'expected.seconds', 5, 0],
    [42_000, 'expected.seconds', 40, 0],
    [170_000, 'expected.minutes', 3, 0],
    [2 * 3_600_000 + 5 * 60_000, 'expected.hours', 2, 5],
  ])('of %i ms is in its largest useful unit', (ms, key, count, minutes) => {
    expect(roughDuration(ms)).toEqual({ key, count, minutes });
  });
});
