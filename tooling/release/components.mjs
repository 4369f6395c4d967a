import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../node24.mjs';
import { step } from '../steps.mjs';

const execute = promisify(execFile);

/** The workspaces that a release contains, which npm names without their scope, and Node. */
const SHIPPED = ['contract', 'lang', 'runner', 'server', 'web', `node-linux-${process.arch}`];

/**
 * @typedef {{ name: string, 'bom-ref': string, properties?: { name: string, value: string }[] }} Component
 * @typedef {{ ref: string, dependsOn: string[] }} Needs
 * @typedef {{ components: Component[], dependencies: Needs[] }} Document
 */

const isForDevelopment = (/** @type {Component} */ { properties }) =>
  properties?.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true') ?? false;

/**
 * Keeps what the shipped workspaces need. npm itself also leaves out packages that tests need too, such as react.
 *
 * @param {Document} all
 */
const onlyShipped = (all) => {
  const useful = new Map(all.components.filter((one) => !isForDevelopment(one)).map((one) => [one['bom-ref'], one]));
  const needs = new Map(all.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  const reached = new Set();
  const visit = (/** @type {string} */ ref) => {
    if (reached.has(ref) || !useful.has(ref)) return;
    reached.add(ref);
    for (const next of needs.get(ref) ?? []) visit(next);
  };
  for (const [ref, { name }] of useful) if (SHIPPED.includes(name)) visit(ref);
  const components = all.components.filter((one) => reached.has(one['bom-ref']));
  const dependencies = all.dependencies
    .filter(({ ref }) => reached.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => reached.has(one)) }));
  return { ...all, components, dependencies };
};

/**
 * Writes the list of the packages of a release (SBOM, CycloneDX), with those that are built into the page.
 *
 * @param {import('./stage.mjs').Staged} staged
 * @param {string} target
 */
export const writeComponents = ({ version }, target) =>
  step('List the packages', async () => {
    const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'];
    const { stdout } = await execute('npm', args, { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 });
    const list = onlyShipped(JSON.parse(stdout));
    await writeFile(join(target, `signalbox-${version}.cdx.json`), `${JSON.stringify(list, undefined, 2)}\n`);
  });
