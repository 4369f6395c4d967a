import { expect } from 'vitest';

const TRIES = 3;

/**
 * Expects something to be as fast as specified. A busy machine may need several attempts; each attempt must be correct
 * in everything else.
 * @param attempt runs from the beginning and returns its time, in milliseconds
 */
export const expectAtBest = async (limitMs: number, attempt: () => Promise<number>): Promise<void> => {
  const took: number[] = [];
  while (took.length < TRIES && !took.some((time) => time < limitMs)) took.push(await attempt());
  expect(Math.min(...took), `of ${took.map(Math.round).join(', ')} ms`).toBeLessThan(limitMs);
};

/** How long something takes, in milliseconds. */
export const timeOf = async (work: () => Promise<unknown>): Promise<number> => {
  const since = performance.now();
  await work();
  return performance.now() - since;
};
