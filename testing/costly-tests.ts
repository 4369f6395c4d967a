import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** How long the drawn tests of a costly file take on average, in seconds. */
const BUDGET_SECONDS = 2;
/** The same for files of browser tests. */
const JOURNEYS_BUDGET_SECONDS = 6;
/** What a new user does first is always tested, and `screens.spec.ts` draws single screens. */
const ALWAYS_WHOLE: readonly string[] = ['e2e/first-run.spec.ts', 'e2e/screens.spec.ts'];

/** The seconds that all tests of a file take. Cheap files are not listed. `npm run test:costs` measures them. */
export const TEST_COSTS = JSON.parse(readFileSync(join(import.meta.dirname, 'test-costs.json'), 'utf8')) as Readonly<
  Record<string, number>
>;

/** The share of the tests of a file that `npm test` runs. */
export const shareOf = (path: string): number => {
  const budget = path.startsWith('e2e/') ? JOURNEYS_BUDGET_SECONDS : BUDGET_SECONDS;
  return ALWAYS_WHOLE.includes(path) ? 1 : Math.min(1, budget / (TEST_COSTS[path] ?? budget));
};
