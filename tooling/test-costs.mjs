import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { runInForeground } from './child.mjs';
import { install } from './install.mjs';
import { quickFolder } from './memory-folder.mjs';
import { findNode, isMain, ROOT } from './node24.mjs';
import { buildPage } from './page.mjs';
import { withPostgres } from './postgres.mjs';
import { runMain } from './steps.mjs';
import { provideTools, TEST_TOOLS } from './system-packages.mjs';

/** Files with cheaper tests are not listed: all their tests always run. */
const CHEAP_SECONDS = 4;

/**
 * The costs in a report of Vitest.
 *
 * @param {{ testResults: { name: string, startTime: number, endTime: number }[] }} report
 * @returns {Record<string, number>} the seconds of each costly file, by its path from the root
 */
export const costsIn = ({ testResults }) =>
  Object.fromEntries(
    testResults
      .map(
        ({ name, startTime, endTime }) => /** @type {const} */ ([relative(ROOT, name), (endTime - startTime) / 1000]),
      )
      .filter(([, seconds]) => seconds > CHEAP_SECONDS)
      .map(([name, seconds]) => /** @type {const} */ ([name, Math.round(seconds)]))
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );

const measure = async () => {
  await provideTools(TEST_TOOLS);
  await install();
  await buildPage();
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-costs-'));
  const report = join(folder, 'vitest.json');
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const args = [vitest, 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const quick = quickFolder();
  try {
    process.exitCode = await withPostgres((url) => {
      const env = { ...process.env, SIGNALBOX_TEST_POSTGRES: url, TMPDIR: quick };
      return runInForeground(findNode() ?? process.execPath, args, { cwd: ROOT, env });
    }, quick);
    const costs = costsIn(JSON.parse(readFileSync(report, 'utf8')));
    writeFileSync(join(ROOT, 'testing', 'test-costs.json'), `${JSON.stringify(costs, null, 2)}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/**
 * `npm run test:costs`: runs all tests without a browser, and writes `testing/test-costs.json`. Run it on a quiet machine
 * after the costs of tests have changed.
 */
if (isMain(import.meta.url)) await runMain(measure);
