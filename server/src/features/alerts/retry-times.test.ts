import { expect, it } from 'vitest';
import { waitAfter } from './retry-times.ts';

it('the delay after an attempt doubles up to 15 minutes, with a random part of up to half of it', () => {
  expect([1, 2, 3, 10, 11, 12, 500].map((attempts) => waitAfter(attempts, 1))).toEqual([
    1_000, 2_000, 4_000, 512_000, 900_000, 900_000, 900_000,
  ]);
  expect([1, 2, 500].map((attempts) => waitAfter(attempts, 0))).toEqual([500, 1_000, 450_000]);
});
