import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { install } from './install.mjs';
import { ROOT } from './node24.mjs';
import { buildPage } from './page.mjs';
import { makeArchive } from './release/archive.mjs';
import { writeComponents } from './release/components.mjs';
import { makeDebianPackage } from './release/debian.mjs';
import { makeNpmPackage } from './release/npm.mjs';
import { stageProduct } from './release/stage.mjs';
import { Refusal, runMain } from './steps.mjs';

/** The hash of a file as `sha256sum --check` reads it. */
const sumOf = async (/** @type {string} */ folder, /** @type {string} */ name) => {
  const hash = createHash('sha256');
  await pipeline(createReadStream(join(folder, name)), hash);
  return `${hash.digest('hex')}  ${name}\n`;
};

/** What a folder of an earlier release contains. */
const isOfRelease = (/** @type {string} */ name) => name === 'SHA256SUMS' || name.startsWith('signalbox');

/**
 * Removes an earlier release.
 *
 * @throws Refusal if the folder contains anything else
 */
const empty = async (/** @type {string} */ folder) => {
  await mkdir(folder, { recursive: true });
  const names = await readdir(folder);
  const other = names.find((name) => !isOfRelease(name));
  if (other !== undefined)
    throw new Refusal(`${folder} contains ${other}, which is not of a release: name a new or empty folder.`);
  for (const name of names) await rm(join(folder, name));
};

/** Makes the files of a release in a folder: `npm run release -- [folder]`. */
const release = async (/** @type {string} */ folder) => {
  await empty(folder);
  await install();
  await buildPage();
  const work = await mkdtemp(join(tmpdir(), 'signalbox-release-'));
  try {
    const staged = await stageProduct(join(work, 'product'));
    await makeArchive(staged, folder);
    await makeDebianPackage(staged, join(work, 'debian'), folder);
    await makeNpmPackage(staged, join(work, 'npm'), folder);
    await writeComponents(staged, folder);
    const sums = await Promise.all((await readdir(folder)).sort().map((name) => sumOf(folder, name)));
    await writeFile(join(folder, 'SHA256SUMS'), sums.join(''));
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  process.stdout.write(`The release is in ${folder}.\n`);
};

await runMain(() => release(resolve(process.argv[2] ?? join(ROOT, 'release'))));
