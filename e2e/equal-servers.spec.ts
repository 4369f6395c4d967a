import { expect, test } from '@playwright/test';
import { isWholeRun } from '../testing/sample.ts';
import { seedOfTest } from '../testing/seed.ts';
import { equalServersTest } from '../tooling/product/equal-servers/equal-servers-test.ts';

const TASKS = 200;

const run = async (onlyLocks: boolean): Promise<void> => {
  test.setTimeout(1_800_000);
  const journal: string[] = [];
  const print = (line: string): void => void journal.push(line);
  const projects = onlyLocks ? 2 : 20;
  const { wrong } = await equalServersTest({ tasks: TASKS, seed: seedOfTest(), onlyLocks, projects, print });
  expect(wrong, journal.join('\n')).toEqual([]);
};

// Each takes some minutes, so only `npm run test:full` runs them.
if (isWholeRun()) {
  test(`[R1][R2][R4][R6][R7][R8] ${TASKS} tasks on three servers and ten runners among random restarts: none lost or doubled, logs whole, alerts in order, no limit exceeded`, () =>
    run(false));

  test(`[R2][R8] ${TASKS} tasks with locks and hosts that overlap on three servers: no lock or host has two holders, tasks in check mode share hosts, and all end`, () =>
    run(true));
}
