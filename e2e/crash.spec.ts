import { expect, test } from '@playwright/test';
import { crashTest } from '../tooling/product/crash/crash-test.ts';

const RUNS = 100;
const SEED = 1;

test(`[R1][R2][R3][R4][R5][R6] ${RUNS} runs among random kills: none lost, doubled or stuck, nothing left over, logs whole`, async () => {
  test.setTimeout(900_000);
  const journal: string[] = [];
  const { faults } = await crashTest({ runs: RUNS, seed: SEED, atOnce: 4, say: (line) => journal.push(line) });
  expect(faults, journal.join('\n')).toEqual([]);
});
