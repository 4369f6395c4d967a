import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runQuietly } from './child.mjs';
import { ROOT } from './node24.mjs';
import { Refusal, step } from './steps.mjs';

const STAMP = join(ROOT, 'node_modules', '.signalbox-lock');

const hashOfLock = () =>
  createHash('sha256')
    .update(readFileSync(join(ROOT, 'package-lock.json')))
    .digest('hex');

/** Whether node_modules contains exactly the packages of the lock file. */
const isInstalled = () => existsSync(STAMP) && readFileSync(STAMP, 'utf8') === hashOfLock();

/** Finds the package that npm is installing in a line of its log. */
const packageOf = (/** @type {string} */ line) => /\/(@[^/]+\/[^/]+|[^@/][^/]*)\/-\//.exec(line)?.[1];

/** Installs the packages of the lock file, if they are not installed. Runs no scripts of packages. */
export const install = async () => {
  if (isInstalled()) return;
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  await step('Install packages', async (report) => {
    const total = Object.values(lock.packages).filter(({ optional, link }) => !optional && !link).length - 1;
    const seen = new Set();
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=http', '--color=false'];
    const { code, output } = await runQuietly('npm', args, {
      cwd: ROOT,
      env: { ...process.env, npm_config_progress: 'false' },
      onLine: (line) => {
        const name = packageOf(line);
        if (name) seen.add(name);
        if (seen.size > 0) report(`${seen.size} of about ${total} packages`);
      },
    });
    if (code !== 0) {
      const last = output
        .trimEnd()
        .split('\n')
        .filter((line) => !line.startsWith('npm http'))
        .slice(-15)
        .join('\n');
      throw new Refusal(`${last}\n\nnpm could not install the packages (exit code ${code}); its last lines are above.`);
    }
    writeFileSync(STAMP, hashOfLock());
  });
};
