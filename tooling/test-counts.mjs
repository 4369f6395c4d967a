import { existsSync, readFileSync } from 'node:fs';

/**
 * @typedef {{ passed: number, failed: number }} Counts
 */

/** A suite that failed without a failed test of its own crashed, and one without any test proved nothing. */
const withCrash = (/** @type {Counts} */ { passed, failed }, /** @type {number} */ code) =>
  failed === 0 && (code !== 0 || passed === 0) ? { passed, failed: 1 } : { passed, failed };

/**
 * What a run of vitest counts, from the file of its json reporter. A test that was left out counts as failed unless a filter left it out.
 *
 * @param {string} file
 * @param {number} code
 * @param {boolean} filtered
 * @returns {Counts}
 */
export const countVitest = (file, code, filtered) => {
  if (!existsSync(file)) return { passed: 0, failed: 1 };
  const report = JSON.parse(readFileSync(file, 'utf8'));
  const leftOut = filtered ? 0 : report.numPendingTests + report.numTodoTests;
  /** @type {{ status: string, assertionResults: unknown[] }[]} */
  const files = report.testResults;
  const crashed = files.filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0);
  return withCrash({ passed: report.numPassedTests, failed: report.numFailedTests + leftOut + crashed.length }, code);
};

/**
 * What a run of Playwright counts, from the file of its json reporter. A test that passes only when tried again has failed.
 *
 * @param {string} file
 * @param {number} code
 * @returns {Counts}
 */
export const countPlaywright = (file, code) => {
  if (!existsSync(file)) return { passed: 0, failed: 1 };
  const { stats } = JSON.parse(readFileSync(file, 'utf8'));
  return withCrash({ passed: stats.expected, failed: stats.unexpected + stats.flaky + stats.skipped }, code);
};

/** @returns {Counts} */
export const addCounts = (/** @type {Counts[]} */ all) => ({
  passed: all.reduce((sum, { passed }) => sum + passed, 0),
  failed: all.reduce((sum, { failed }) => sum + failed, 0),
});
