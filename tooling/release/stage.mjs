import { execFileSync } from 'node:child_process';
import { cpSync, lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import dockerignore from '@balena/dockerignore';
import { ROOT } from '../node24.mjs';
import { step } from '../steps.mjs';
import { run } from './run.mjs';

/**
 * @typedef {object} Staged
 * @property {string} folder the product as it is installed
 * @property {string} version
 * @property {string} name name of the folder and of the archive, without an ending
 */

/** Added to the files that are copied into an image. */
const DOCUMENTS = ['README.md', 'CONTRIBUTING.md', 'docs', 'deploy'];

/** The workspaces that run on the server. The page is already built. */
const WORKSPACES = ['contract', 'lang', 'runner', 'server'];

/** Starts the product with the Node that it contains, so that no other one is needed. */
const START = `#!/bin/sh
set -e
root=$(dirname "$(dirname "$(readlink -f "$0")")")
exec "$root/node_modules/node-linux-${process.arch}/bin/node" --max-semi-space-size=4 "$root/bin/signalbox.mjs" "$@"
`;

/** The types of this package describe it as a module. */
const makeFilter = /** @type {typeof dockerignore.default} */ (/** @type {unknown} */ (dockerignore));

const copyProduct = async (/** @type {string} */ folder) => {
  const ignored = makeFilter().add(readFileSync(join(ROOT, '.dockerignore'), 'utf8'));
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const listed = execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  const files = listed
    .split('\0')
    .filter((path) => path !== '' && lstatSync(join(ROOT, path), { throwIfNoEntry: false }));
  const isDocument = (/** @type {string} */ path) =>
    DOCUMENTS.some((one) => path === one || path.startsWith(`${one}/`));
  for (const path of files)
    if (isDocument(path) || !ignored.ignores(path)) cpSync(join(ROOT, path), join(folder, path));
};

/** Removes what only a build needs. npm needs the folders of all workspaces, and links to them. */
const removeSources = (/** @type {string} */ folder) => {
  for (const path of ['web', 'e2e', 'bench', 'node_modules/.cache', 'node_modules/.package-lock.json'])
    rmSync(join(folder, path), { recursive: true, force: true });
  const links = join(folder, 'node_modules', '@signalbox');
  for (const name of readdirSync(links)) if (!WORKSPACES.includes(name)) rmSync(join(links, name), { recursive: true });
};

/** Copies the product without tests, with its packages, the built page and Node. */
export const stageProduct = (/** @type {string} */ folder) =>
  step('Install the product into a folder', async (report) => {
    await copyProduct(folder);
    const workspaces = WORKSPACES.flatMap((name) => ['--workspace', name]);
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    await run('npm', ['ci', '--omit=dev', ...quiet, ...workspaces, '--include-workspace-root'], {
      cwd: folder,
      env: { ...process.env, npm_config_progress: 'false' },
      onLine: report,
    });
    removeSources(folder);
    cpSync(join(ROOT, 'web', 'dist'), join(folder, 'web', 'dist'), { recursive: true });
    writeFileSync(join(folder, 'bin', 'signalbox'), START, { mode: 0o755 });
    /** @type {{ version: string }} */
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return { folder, version, name: `signalbox-${version}-linux-${process.arch}` };
  });
