import { spawn, spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { runInForeground, runQuietly } from './child.mjs';
import { freePort } from './free-port.mjs';
import { quickFolder } from './memory-folder.mjs';
import { isMain } from './node24.mjs';
import { Refusal, runMain } from './steps.mjs';
import { findPostgres } from './system-packages.mjs';

const idOf = (/** @type {string} */ flag) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);

/** PostgreSQL refuses to run as root. If this process runs as root, PostgreSQL runs as the user of its Debian package. */
const asPostgres = () => (process.getuid?.() === 0 ? ['--reuid=postgres', '--regid=postgres', '--clear-groups'] : []);

/** The data need not survive a crash, so PostgreSQL never waits for the disk. */
const FAST = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  // Autovacuum would visit the hundreds of databases that tests create and drop.
  'autovacuum=off',
  'max_connections=200',
];

/**
 * Starts a temporary PostgreSQL server with its data in a new folder of `parent`. `stop` ends it and deletes its folder; if this process is killed, it ends too.
 *
 * @returns {Promise<{ url: string, stop: () => Promise<void>, pid: () => number, again: () => Promise<void> }>} `url` names a
 *   database whose user may create others; `pid` is its first process, and `again` restarts it after a kill.
 */
export const startPostgres = async (parent = tmpdir()) => {
  const bin = findPostgres();
  if (!bin)
    throw new Refusal('There is no PostgreSQL server on this machine. Run `sudo apt-get install -y postgresql`.');
  const folder = mkdtempSync(join(parent, 'signalbox-postgres-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    if (process.getuid?.() === 0) chownSync(folder, idOf('-u'), idOf('-g'));
    const data = join(folder, 'data');
    const initdb = [join(bin, 'initdb'), '-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'];
    const made = await runQuietly('setpriv', [...asPostgres(), ...initdb, '--locale=C.UTF-8'], { cwd: folder });
    if (made.code !== 0) throw new Refusal(`${made.output.trimEnd()}\n\nPostgreSQL could not make its data folder.`);
    const port = await freePort();
    const settings = [...FAST, `port=${port}`, 'listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`];
    const command = [join(bin, 'postgres'), '-D', data, ...settings.flatMap((one) => ['-c', one])];
    let running = await run(folder, command);
    return {
      pid: () => running.pid,
      again: async () => {
        running = await run(folder, command);
      },
      url: `postgres://postgres@127.0.0.1:${port}/postgres`,
      stop: async () => {
        await running.stop();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
};

/**
 * @returns {Promise<{ pid: number, stop: () => Promise<void> }>} Resolves when it accepts connections, with a function
 * that stops it.
 */
const run = (/** @type {string} */ cwd, /** @type {string[]} */ command) =>
  new Promise((resolve, reject) => {
    // The server gets its own session, so that Ctrl-C ends the tests first, and then the database.
    const child = spawn('setpriv', [...asPostgres(), '--pdeathsig=INT', ...command], {
      cwd,
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = new Promise((done) => child.on('close', done));
    const printed = /** @type {string[]} */ ([]);
    createInterface({ input: child.stderr }).on('line', (line) => {
      printed.push(line);
      if (printed.length > 50) printed.shift();
      if (line.includes('ready to accept connections')) {
        resolve({
          pid: child.pid ?? 0,
          stop: async () => {
            child.kill('SIGINT');
            await ended;
          },
        });
      }
    });
    child.on('error', reject);
    child.on('exit', () => reject(new Refusal(`${printed.join('\n')}\n\nPostgreSQL did not start.`)));
  });

/**
 * Calls `work` with a temporary PostgreSQL server, and stops the server afterwards, also after an error.
 *
 * @template T
 * @param {(url: string) => Promise<T>} work
 * @param {string} [parent]
 * @returns {Promise<T>}
 */
export const withPostgres = async (work, parent) => {
  const { url, stop } = await startPostgres(parent);
  try {
    return await work(url);
  } finally {
    await stop();
  }
};

/** `node tooling/postgres.mjs -- <command…>`: runs a command as `npm test` runs the unit and integration tests. */
if (isMain(import.meta.url)) {
  await runMain(async () => {
    const [file, ...args] = process.argv.slice(process.argv[2] === '--' ? 3 : 2);
    if (!file) throw new Refusal('Name the command to run: node tooling/postgres.mjs -- npx vitest run server');
    const folder = quickFolder();
    process.exitCode = await withPostgres(
      (url) => runInForeground(file, args, { env: { ...process.env, SIGNALBOX_TEST_POSTGRES: url, TMPDIR: folder } }),
      folder,
    );
  });
}
