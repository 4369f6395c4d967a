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
const CHEAP_SECONDS = 2;

/** @typedef {{ testResults: { name: string, startTime: number, endTime: number }[] }} VitestReport */
/** @typedef {{ specs: { tests: { results: { duration: number }[] }[] }[], suites?: Suite[] }} Suite */
/** @typedef {{ suites: (Suite & { title: string })[] }} PlaywrightReport */

/** @type {(suite: Suite) => number} */
const secondsOf = ({ specs, suites = [] }) => {
  const results = specs.flatMap(({ tests }) => tests).flatMap((test) => test.results);
  const own = results.reduce((sum, { duration }) => sum + duration / 1000, 0);
  return suites.reduce((sum, suite) => sum + secondsOf(suite), own);
};

/**
 * @param {VitestReport} vitest
 * @param {PlaywrightReport} playwright
 * @returns {Record<string, number>} the seconds of each costly file, by its path from the root
 */
export const costsIn = (vitest, playwright) => {
  const files = [
    ...vitest.testResults.map(({ name, startTime, endTime }) => ({
      path: relative(ROOT, name),
      seconds: (endTime - startTime) / 1000,
    })),
    ...playwright.suites.map((suite) => ({ path: `e2e/${suite.title}`, seconds: secondsOf(suite) })),
  ];
  const costly = files.filter(({ seconds }) => seconds > CHEAP_SECONDS);
  return Object.fromEntries(
    costly.toSorted((a, b) => (a.path < b.path ? -1 : 1)).map(({ path, seconds }) => [path, Math.round(seconds)]),
  );
};

const measure = async () => {
  await provideTools(TEST_TOOLS);
  await install();
  await buildPage();
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-costs-'));
  const reports = { vitest: join(folder, 'vitest.json'), playwright: join(folder, 'playwright.json') };
  const vitest = [
    join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${reports.vitest}`,
  ];
  const playwright = [
    join(ROOT, 'node_modules', '@playwright', 'test', 'cli.js'),
    'test',
    `--config=${join(ROOT, 'e2e', 'playwright.config.ts')}`,
    '--reporter=list,json',
  ];
  const quick = quickFolder();
  const run = (/** @type {string[]} */ args, /** @type {NodeJS.ProcessEnv} */ env) =>
    runInForeground(findNode() ?? process.execPath, args, { cwd: ROOT, env: { ...process.env, ...env } });
  try {
    process.exitCode = await withPostgres(async (url) => {
      const env = { SIGNALBOX_TEST_POSTGRES: url };
      const code = await run(vitest, { ...env, TMPDIR: quick });
      return (await run(playwright, { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: reports.playwright })) || code;
    }, quick);
    const read = (/** @type {string} */ file) => JSON.parse(readFileSync(file, 'utf8'));
    const costs = costsIn(read(reports.vitest), read(reports.playwright));
    writeFileSync(join(ROOT, 'testing', 'test-costs.json'), `${JSON.stringify(costs, null, 2)}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/**
 * `npm run test:costs`: runs the unit, integration and browser tests, and writes `testing/test-costs.json`. Run it on a
 * quiet machine after the costs of tests have changed.
 */
if (isMain(import.meta.url)) await runMain(measure);
