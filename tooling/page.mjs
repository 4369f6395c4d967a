import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runQuietly } from './child.mjs';
import { findNode, ROOT } from './node24.mjs';
import { Refusal, step } from './steps.mjs';

const STAMP = join(ROOT, 'web', 'dist', '.signalbox-source');

/** The sources of the page. */
const SOURCES = [
  'web/src',
  'web/build',
  'web/public',
  'contract/src',
  'lang',
  'web/index.html',
  'web/package.json',
  'web/vite.config.ts',
];

/** @returns {string[]} */
const describe = (/** @type {string} */ path) => {
  const about = statSync(path, { throwIfNoEntry: false });
  if (!about) return [];
  if (!about.isDirectory()) return [`${path} ${about.size} ${about.mtimeMs}`];
  return readdirSync(path)
    .sort()
    .flatMap((name) => describe(join(path, name)));
};

/** Size and time of each source. Faster than reading the sources, and also detects a deleted file. */
const describeSources = () =>
  [...SOURCES, 'package-lock.json'].flatMap((path) => describe(join(ROOT, path))).join('\n');

/** Builds the page if its sources have changed since the last build. */
export const buildPage = async () => {
  const sources = describeSources();
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sources) return;
  await step('Build the page', async (report) => {
    const vite = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js');
    const { code, output } = await runQuietly(findNode() ?? 'node', [vite, 'build'], {
      cwd: join(ROOT, 'web'),
      onLine: report,
    });
    if (code !== 0) throw new Refusal(`${output.trimEnd()}\n\nThe page could not be built; vite's output is above.`);
    writeFileSync(STAMP, sources);
  });
};
