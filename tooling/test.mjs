import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChecks } from './checks.mjs';
import { runInForeground } from './child.mjs';
import { install } from './install.mjs';
import { quickFolder } from './memory-folder.mjs';
import { findNode, ROOT } from './node24.mjs';
import { buildPage } from './page.mjs';
import { withPostgres } from './postgres.mjs';
import { Refusal, runMain } from './steps.mjs';
import { provideTools, TEST_TOOLS } from './system-packages.mjs';
import { addCounts, countPlaywright, countVitest } from './test-counts.mjs';
import { describeCoverage } from './test-coverage.mjs';
import { describeSamples } from './test-samples.mjs';

/** What is left to do is not done after Ctrl-C, but what was started is ended and removed. */
let interrupted = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    interrupted = true;
  });
}

const isWhole = process.argv[2] === '--whole';
const filter = process.argv.slice(isWhole ? 3 : 2);
/** Whether the run may have no tests: changes of documents affect none. */
const mayBeNone = filter.includes('--changed');
const node = () => findNode() ?? process.execPath;

const runSuite = async (
  /** @type {string} */ name,
  /** @type {string[]} */ args,
  /** @type {NodeJS.ProcessEnv} */ env,
) => {
  if (interrupted) throw new Refusal('Interrupted.');
  process.stdout.write(`\n--- ${name} ---\n`);
  const code = await runInForeground(node(), args, { cwd: ROOT, env: { ...process.env, ...env } });
  if (interrupted) throw new Refusal('Interrupted.');
  return code;
};

/** The folder of the temporary files of PostgreSQL and of the tests without a browser. */
const quick = quickFolder();

const callVitest = (/** @type {string} */ name, /** @type {string[]} */ args, /** @type {NodeJS.ProcessEnv} */ env) => {
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  return runSuite(name, [vitest, 'run', ...args], { ...env, TMPDIR: quick });
};

const runVitest = async (/** @type {string} */ folder, /** @type {NodeJS.ProcessEnv} */ env) => {
  const file = join(folder, 'vitest.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const none = mayBeNone ? ['--passWithNoTests'] : [];
  const code = await callVitest('unit and integration tests', [...reporters, ...none, ...filter], env);
  const counts = countVitest(file, code, filter.length > 0);
  return mayBeNone && code === 0 ? { ...counts, failed: 0 } : counts;
};

/** Tests with this in their names measure time. Code whose coverage is measured runs several times slower. */
const TIMED = 'main thread for at most';

/** Runs the tests again with coverage: whether enough of `server/` and `runner/` was executed counts as one test. */
const runCoverage = async (/** @type {string} */ folder, /** @type {NodeJS.ProcessEnv} */ env) => {
  const reports = join(folder, 'coverage');
  const args = ['--project=server', '--project=runner', '--project=own-process', `--testNamePattern=^(?!.*${TIMED})`];
  const coverage = ['--coverage', `--coverage.reportsDirectory=${reports}`];
  const code = await callVitest('coverage', [...args, ...coverage], { ...env, SIGNALBOX_TEST_WHOLE: '' });
  const { line, isEnough } = describeCoverage(reports);
  process.stdout.write(`\n${line}\n`);
  return code === 0 && isEnough ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
};

const runPlaywright = async (/** @type {string} */ folder, /** @type {NodeJS.ProcessEnv} */ env) => {
  const config = join(ROOT, 'e2e', 'playwright.config.ts');
  if (!existsSync(config)) return { passed: 0, failed: 0 };
  const file = join(folder, 'playwright.json');
  const playwright = join(ROOT, 'node_modules', '@playwright', 'test', 'cli.js');
  const leftOut = join(folder, 'left-out.txt');
  if (!isWhole) {
    const draw = join(ROOT, 'e2e', 'draw-journeys.ts');
    writeFileSync(leftOut, execFileSync(node(), [draw], { cwd: ROOT, env: { ...process.env, ...env } }));
  }
  const without = isWhole ? [] : [`--test-list-invert=${leftOut}`];
  const args = [playwright, 'test', `--config=${config}`, '--reporter=list,json', ...without];
  const code = await runSuite('browser tests', args, { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: file });
  return countPlaywright(file, code);
};

/** Runs the third-party fuzzer and API clients, which come from the Python package index. Only `test:full` does. */
const runThirdParty = async () => {
  const codes = [];
  for (const script of ['fuzz-schema.mjs', 'peer-clients.mjs'])
    codes.push(await runSuite(script, [join(ROOT, 'tooling', script)], {}));
  return { passed: codes.filter((code) => code === 0).length, failed: codes.filter((code) => code !== 0).length };
};

const runAll = async (/** @type {string} */ folder) => {
  await buildPage();
  if (filter.length === 0) {
    process.stdout.write('\n--- checks ---\n');
    const { failed } = await runChecks();
    return withPostgres(async (url) => {
      const env = { SIGNALBOX_TEST_POSTGRES: url };
      const counts = [{ passed: 0, failed }, await runVitest(folder, env), await runPlaywright(folder, env)];
      if (isWhole) counts.push(await runCoverage(folder, env), await runThirdParty());
      return addCounts(counts);
    }, quick);
  }
  process.stdout.write('\nA filter was given: only the unit and integration tests that it names are run.\n');
  return withPostgres((url) => runVitest(folder, { SIGNALBOX_TEST_POSTGRES: url }), quick);
};

/** What could not even be run has failed. */
const countCrash = (/** @type {unknown} */ error) => {
  process.stdout.write(`\n${error instanceof Error ? error.message : error}\n`);
  return { passed: 0, failed: 1 };
};

/**
 * `npm test [-- filter]`: installs what the tests need, runs every check and every suite, and counts the tests in one line.
 * `npm test -- --changed` runs the unit and integration tests that uncommitted changes affect. `npm run test:full` runs
 * all cases where `npm test` runs a sample.
 */
await runMain(async () => {
  await provideTools(TEST_TOOLS);
  await install();
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-test-'));
  const samples = join(folder, 'samples.jsonl');
  const seed = process.env.SIGNALBOX_TEST_SEED ?? String(randomInt(2 ** 31));
  Object.assign(process.env, { SIGNALBOX_TEST_SEED: seed, SIGNALBOX_TEST_SAMPLES: samples });
  if (isWhole) process.env.SIGNALBOX_TEST_WHOLE = '1';
  else if (filter.length === 0) process.env.SIGNALBOX_TEST_DRAW = '1';
  try {
    const { passed, failed } = await runAll(folder).catch(countCrash);
    process.stdout.write(`\n${isWhole ? 'Tested everything' : describeSamples(samples)}, seed ${seed}.\n`);
    process.stdout.write(`${passed} passed, ${failed} failed\n`);
    process.exitCode = failed === 0 && (passed > 0 || mayBeNone) ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
if (interrupted) process.exitCode = 130;
