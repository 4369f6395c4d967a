import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** How long the drawn tests of a costly file take on average, in seconds. */
const BUDGET_SECONDS = 4;

/** The files that take longer than that, with the seconds of all their tests. `npm run test:costs` measures them. */
export const TEST_COSTS = JSON.parse(readFileSync(join(import.meta.dirname, 'test-costs.json'), 'utf8')) as Readonly<
  Record<string, number>
>;

/** The share of the tests of a file that `npm test` runs. */
export const shareOf = (path: string): number => Math.min(1, BUDGET_SECONDS / (TEST_COSTS[path] ?? BUDGET_SECONDS));

/** Browser tests with kills, full disks, silent networks, many runs or thousands of lines. `npm test` draws a share. */
export const COSTLY_JOURNEYS: readonly string[] = [
  'api-docs.spec.ts',
  'command-line.spec.ts',
  'crash.spec.ts',
  'database-gone.spec.ts',
  'disk-full.spec.ts',
  'expected-end.spec.ts',
  'failed-task.spec.ts',
  'keyboard.spec.ts',
  'long-log.spec.ts',
  'run-times.spec.ts',
  'runner-gone.spec.ts',
  'second-factor.spec.ts',
  'secrets.spec.ts',
  'sign-on.spec.ts',
  'slow-viewer.spec.ts',
  'start-matrix.spec.ts',
  'storage.spec.ts',
  'survey.spec.ts',
  'survival.spec.ts',
  'two-browsers.spec.ts',
];
export const JOURNEYS_SHARE = 1 / 6;
