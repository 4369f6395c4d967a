import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './node24.mjs';

/** Lowest percentage of statements of each package that the unit and integration tests may execute. */
const FLOORS = Object.freeze({ server: 80, runner: 60 });

/**
 * @typedef {{ covered: number, total: number }} Share
 * @typedef {{ [path: string]: { statements: Share } }} Summary vitest's `coverage-summary.json`: a share for each absolute path
 */

/**
 * Returns the percentage of the statements of a package that were executed.
 *
 * @param {Summary} summary
 * @param {string} name
 */
const coverageOf = (summary, name) => {
  const files = Object.entries(summary).filter(([path]) => path.startsWith(join(ROOT, name, 'src', '/')));
  const covered = files.reduce((sum, [, { statements }]) => sum + statements.covered, 0);
  const total = files.reduce((sum, [, { statements }]) => sum + statements.total, 0);
  return total === 0 ? 0 : (100 * covered) / total;
};

/**
 * Describes the coverage of `server/` and `runner/` in one line. Processes that a test starts, such as a server for the
 * browser tests, do not count.
 *
 * @param {string} folder the folder of vitest's coverage reports
 * @returns {{ line: string, isEnough: boolean }}
 */
export const describeCoverage = (folder) => {
  const file = join(folder, 'coverage-summary.json');
  if (!existsSync(file)) return { line: 'The coverage was not measured.', isEnough: false };
  /** @type {Summary} */
  const summary = JSON.parse(readFileSync(file, 'utf8'));
  const shares = Object.entries(FLOORS).map(([name, floor]) => ({ name, floor, share: coverageOf(summary, name) }));
  const parts = shares.map(({ name, floor, share }) => `${name} ${share.toFixed(1)} % (floor ${floor} %)`);
  return {
    line: `Statements executed by unit and integration tests: ${parts.join(', ')}.`,
    isEnough: shares.every(({ floor, share }) => share >= floor),
  };
};
