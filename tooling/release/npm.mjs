import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { step } from '../steps.mjs';
import { run } from './run.mjs';

/**
 * @typedef {object} Manifest
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [optionalDependencies]
 */

/** Workspaces that others import by name. npm needs them as packages of the package. */
const IMPORTED = ['contract', 'lang'];

/** @returns {Manifest} */
const readManifest = (/** @type {string} */ folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** The packages of the product. All are in the archive, so that npm installs exactly those that were tested. */
const dependenciesOf = (/** @type {string} */ folder) =>
  Object.assign(
    {},
    ...['contract', 'lang', 'runner', 'server'].map((name) => readManifest(join(folder, name)).dependencies),
  );

const writeManifest = (/** @type {string} */ folder) => {
  const { optionalDependencies, ...manifest } = readManifest(folder);
  const dependencies = dependenciesOf(folder);
  const own = {
    ...manifest,
    private: undefined,
    workspaces: undefined,
    scripts: undefined,
    devDependencies: undefined,
    dependencies,
    bundleDependencies: Object.keys(dependencies),
    // The Node that runs the product, for machines with an older one.
    optionalDependencies,
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(own, undefined, 2)}\n`);
};

/** Removes the versions of Node that packages need: npm would warn on a machine with an older one, which does not run them. */
const removeEngines = (/** @type {string} */ folder) => {
  for (const path of readdirSync(join(folder, 'node_modules'), { recursive: true, encoding: 'utf8' })) {
    if (!/(?:^|node_modules\/)(?:@[^/]+\/)?[^/@]+$/.test(path)) continue;
    const file = join(folder, 'node_modules', path, 'package.json');
    if (!existsSync(file)) continue;
    const { engines: _, ...rest } = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify(rest));
  }
};

/**
 * Makes `signalbox-<version>.tgz` in a folder: the package that `npx signalbox` runs.
 *
 * @param {import('./stage.mjs').Staged} staged
 * @param {string} work folder that does not exist
 * @param {string} target
 */
export const makeNpmPackage = ({ folder }, work, target) =>
  step('Make the npm package', async () => {
    cpSync(folder, work, { recursive: true, verbatimSymlinks: true });
    rmSync(join(work, 'bin', 'signalbox'));
    rmSync(join(work, 'node_modules', `node-linux-${process.arch}`), { recursive: true });
    writeManifest(work);
    const scope = join(work, 'node_modules', '@signalbox');
    rmSync(scope, { recursive: true });
    for (const name of IMPORTED) cpSync(join(work, name), join(scope, name), { recursive: true });
    for (const name of IMPORTED) rmSync(join(work, name), { recursive: true });
    removeEngines(work);
    await run('npm', ['pack', '--ignore-scripts', '--loglevel=error', `--pack-destination=${target}`], { cwd: work });
  });
