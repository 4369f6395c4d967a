import { expect, it } from 'vitest';
import { waitAfter } from './retry-times.ts';

it('waits twice as long after each attempt, up to a quarter of an hour, and by chance between half and all of it', () => {
  expect([1, 2, 3, 10, 11, 12, 500].map((attempts) => waitAfter(attempts, 1))).toEqual([
    1_000, 2_000, 4_000, 512_000, 900_000, 900_000, 900_000,
  ]);
  expect([1, 2, 500].map((attempts) => waitAfter(attempts, 0))).toEqual([500, 1_000, 450_000]);
});
