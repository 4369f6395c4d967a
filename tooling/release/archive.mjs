import { createReadStream, createWriteStream, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { ROOT } from '../node24.mjs';
import { step } from '../steps.mjs';
import { run } from './run.mjs';

/** When the last commit was made, in seconds since 1970: the same sources make the same archive. */
const sourceTime = async () => (await run('git', ['log', '-1', '--format=%ct'], { cwd: ROOT })).trim();

/**
 * Makes `<name>.tar.gz` in a folder.
 *
 * @param {import('./stage.mjs').Staged} staged
 * @param {string} target
 */
export const makeArchive = ({ folder, name }, target) =>
  step('Make the archive', async () => {
    const archive = join(target, `${name}.tar`);
    const owners = ['--owner=root:0', '--group=root:0', '--numeric-owner', '--mode=go-w'];
    const order = ['--sort=name', `--mtime=@${await sourceTime()}`, `--transform=s,^\\.,${name},rSH`];
    // A product that was started has a cache of compiled code.
    const files = ['--directory', folder, '--exclude=./node_modules/.cache', '.'];
    await run('tar', ['--create', '--file', archive, ...owners, ...order, ...files]);
    await pipeline(createReadStream(archive), createGzip(), createWriteStream(`${archive}.gz`));
    rmSync(archive);
  });
