import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { costsIn } from './test-costs.mjs';
import { addCounts, countPlaywright, countVitest } from './test-counts.mjs';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-counts-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const report = (content: unknown): string => {
  const file = join(folder, 'report.json');
  writeFileSync(file, JSON.stringify(content));
  return file;
};
const vitest = (numbers: Record<string, number>, testResults: unknown[] = []): string =>
  report({ numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, ...numbers, testResults });
const playwright = (stats: Record<string, number>): string =>
  report({ stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0, ...stats } });

it('counts passed and failed tests', () => {
  expect(countVitest(vitest({ numPassedTests: 5 }), 0, false)).toEqual({ passed: 5, failed: 0 });
  expect(countVitest(vitest({ numPassedTests: 5, numFailedTests: 2 }), 1, false)).toEqual({ passed: 5, failed: 2 });
  expect(countPlaywright(playwright({ expected: 3, unexpected: 1 }), 1)).toEqual({ passed: 3, failed: 1 });
});

it('counts a skipped test as failed, unless a filter left it out', () => {
  expect(countVitest(vitest({ numPassedTests: 5, numPendingTests: 1 }), 0, false)).toEqual({ passed: 5, failed: 1 });
  expect(countVitest(vitest({ numPassedTests: 5, numPendingTests: 1 }), 0, true)).toEqual({ passed: 5, failed: 0 });
  expect(countPlaywright(playwright({ expected: 3, skipped: 1 }), 0)).toEqual({ passed: 3, failed: 1 });
});

it('counts a browser test that passes only the second time as failed', () => {
  expect(countPlaywright(playwright({ expected: 3, flaky: 1 }), 0)).toEqual({ passed: 3, failed: 1 });
});

it('counts a file that crashed before its first test, and each suite that crashed, as failed', () => {
  const crashed = vitest({ numPassedTests: 5 }, [{ status: 'failed', assertionResults: [] }]);
  expect(countVitest(crashed, 1, false)).toEqual({ passed: 5, failed: 1 });
  expect(countVitest(vitest({ numPassedTests: 5 }), 1, false)).toEqual({ passed: 5, failed: 1 });
  expect(countVitest(join(folder, 'none.json'), 1, false)).toEqual({ passed: 0, failed: 1 });
  expect(countPlaywright(join(folder, 'none.json'), 1)).toEqual({ passed: 0, failed: 1 });
});

it('counts a suite without any test as failed', () => {
  expect(countVitest(vitest({}), 0, false)).toEqual({ passed: 0, failed: 1 });
  expect(countPlaywright(playwright({}), 0)).toEqual({ passed: 0, failed: 1 });
});

it('adds up the counts of suites', () => {
  expect(
    addCounts([
      { passed: 0, failed: 1 },
      { passed: 5, failed: 0 },
      { passed: 3, failed: 2 },
    ]),
  ).toEqual({
    passed: 8,
    failed: 3,
  });
});

it('the costs of tests are the seconds of the files that take more than two', () => {
  const ROOT = join(import.meta.dirname, '..');
  const file = (name: string, seconds: number) => ({
    name: join(ROOT, name),
    startTime: 500,
    endTime: 500 + seconds * 1000,
  });
  const testResults = [file('server/b.test.ts', 61.4), file('runner/a.test.ts', 5), file('lang/c.test.ts', 1.9)];
  const spec = (...seconds: number[]) => ({
    tests: [{ results: seconds.map((duration) => ({ duration: duration * 1000 })) }],
  });
  const suites = [
    { title: 'a.spec.ts', specs: [spec(7)], suites: [{ specs: [spec(20, 3)] }] },
    { title: 'b.spec.ts', specs: [spec(1)] },
  ];
  expect(costsIn({ testResults }, { suites })).toEqual({
    'e2e/a.spec.ts': 30,
    'runner/a.test.ts': 5,
    'server/b.test.ts': 61,
  });
});
