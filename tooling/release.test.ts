import { execFile, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { isWholeRun, recordSample } from '../testing/sample.ts';
import { freePort } from './free-port.mjs';
import { ApiClient } from './product/api-client.ts';
import { until } from './product/product.ts';
import { makeArchive } from './release/archive.mjs';
import { writeComponents } from './release/components.mjs';
import { makeDebianPackage } from './release/debian.mjs';
import { makeNpmPackage } from './release/npm.mjs';
import { type Staged, stageProduct } from './release/stage.mjs';

let folder: string;
let staged: Staged;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-release-'));
  staged = await stageProduct(join(folder, 'product'));
  recordSample('tests of the release', isWholeRun() ? 4 : 1, 4);
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** No folder of this search path has a Node. */
const withoutNode = (): Record<string, string> => {
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  for (const program of ['sh', 'dirname', 'readlink', 'git', 'ssh', 'python3']) {
    const path = execFileSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim();
    if (!existsSync(join(bin, program))) execFileSync('ln', ['-s', path, join(bin, program)]);
  }
  return { PATH: bin, HOME: folder, NODE_COMPILE_CACHE: join(folder, 'cache') };
};

/** Starts the server of an installed product, and returns its page and whether it is ready. */
const startServer = async (command: readonly [string, ...string[]], env: NodeJS.ProcessEnv) => {
  const [program, ...args] = command;
  const port = await freePort();
  const data = mkdtempSync(join(folder, 'data-'));
  const settings = { ...env, SIGNALBOX_DATA: data, SIGNALBOX_PORT: String(port) };
  const server = spawn(program, [...args, 'server'], { cwd: data, env: settings, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void server.kill());
  let output = '';
  server.stderr.on('data', (chunk) => {
    output += chunk;
  });
  const isReady = () =>
    new Promise<boolean>((resolve) => {
      server.stdout.on('data', (chunk) => {
        output += chunk;
        if (output.includes('is ready')) resolve(true);
      });
      server.on('exit', () => resolve(false));
    });
  expect(await isReady(), output).toBe(true);
  const address = `http://127.0.0.1:${port}`;
  return {
    address,
    page: await (await fetch(address)).text(),
    ready: await (await fetch(`${address}/api/ready`)).json(),
  };
};

describe('a release', () => {
  it('contains a product that runs with its own Node, without tests and without what only a build needs', async () => {
    const env = withoutNode();
    const program = join(staged.folder, 'bin', 'signalbox');
    const { stdout } = await promisify(execFile)(program, ['--version'], { env });
    expect(stdout.trim()).toBe(staged.version);
    const { page, ready } = await startServer([program], { ...env, SIGNALBOX_RUNNER: 'off' });
    expect(page).toContain('<title>');
    expect(ready).toMatchObject({ status: 'ready' });
    const all = readdirSync(staged.folder, { recursive: true, encoding: 'utf8' });
    expect(all.filter((path) => /\.test\.tsx?$/.test(path) && !path.startsWith('node_modules/'))).toEqual([]);
    for (const path of ['web/src', 'node_modules/vitest', 'node_modules/react', 'e2e'])
      expect(existsSync(join(staged.folder, path)), path).toBe(false);
  });

  if (isWholeRun()) {
    it('is an archive with one folder, a list of its packages, and sums that can be checked', async () => {
      const target = join(folder, 'files');
      mkdirSync(target);
      await makeArchive(staged, target);
      await writeComponents(staged, target);
      const archive = join(target, `${staged.name}.tar.gz`);
      const entries = execFileSync('tar', ['tzvf', archive], { encoding: 'utf8', maxBuffer: 1e8 }).split('\n');
      expect(entries[0]).toMatch(new RegExp(`^drwxr-xr-x 0/0 .* ${staged.name}/$`));
      const first = createHash('sha256').update(readFileSync(archive)).digest('hex');
      await makeArchive(staged, target);
      expect(createHash('sha256').update(readFileSync(archive)).digest('hex')).toBe(first);
      const list = JSON.parse(readFileSync(join(target, `signalbox-${staged.version}.cdx.json`), 'utf8'));
      const names = list.components.map(({ name }: { name: string }) => name);
      expect(names).toEqual(expect.arrayContaining(['fastify', 'react', `node-linux-${process.arch}`]));
      expect(names).not.toContain('vitest');
    });

    it('is an npm package that npx starts, and that runs the demo', { timeout: 300_000 }, async () => {
      await makeNpmPackage(staged, join(folder, 'npm'), folder);
      const file = join(folder, `signalbox-${staged.version}.tgz`);
      // npm needs the variables of this machine for its registry.
      const { address } = await startServer(['npx', '--yes', `--package=${file}`, 'signalbox'], {
        ...process.env,
        npm_config_cache: join(folder, 'npm-cache'),
        SIGNALBOX_ADMIN_PASSWORD: 'a password of the test',
      });
      const client = new ApiClient(address);
      await client.signIn('admin', 'a password of the test');
      const project = await client.call('createProject', { body: { name: 'Demo', demo: true } });
      const params = { project_id: project.id };
      const templates = await client.call('listTemplates', { params });
      const template_id = templates.find(({ name }) => name === 'Ping Site')?.id ?? 0;
      const { id } = await client.call('createTask', { params, body: { template_id } });
      const ended = await until('the end of the task', async () => {
        const { status } = await client.call('getTask', { params: { ...params, task_id: id } });
        return ['success', 'error', 'stopped'].includes(status) ? status : undefined;
      });
      expect(ended).toBe('success');
    });

    it('is a Debian package that is installed, upgraded with its changed settings, removed, and purged', {
      timeout: 300_000,
    }, async () => {
      for (const version of ['0.1.0', '0.1.1'])
        await makeDebianPackage({ ...staged, version }, join(folder, version), folder);
      const [old, newer] = readdirSync(folder)
        .filter((name) => name.endsWith('.deb'))
        .sort();
      const root = join(folder, 'root');
      mkdirSync(join(root, 'var/lib/dpkg/updates'), { recursive: true });
      mkdirSync(join(root, 'var/lib/dpkg/info'));
      writeFileSync(join(root, 'var/lib/dpkg/status'), '');
      const dpkg = (...args: string[]) => {
        const forced = ['--force-script-chrootless', '--force-depends', '--force-confold', '--force-not-root'];
        execFileSync('dpkg', [`--root=${root}`, ...forced, ...args], { stdio: 'pipe' });
      };
      dpkg('--install', join(folder, old ?? ''));
      expect(existsSync(join(root, 'usr/lib/systemd/system/signalbox.service'))).toBe(true);
      const unit = readFileSync(join(root, 'usr/lib/systemd/system/signalbox-runner-separated.service'), 'utf8');
      expect(unit).toContain('ExecStart=/usr/bin/signalbox runner');
      const settings = join(root, 'etc/signalbox/server.env');
      writeFileSync(settings, 'SIGNALBOX_URL=https://signalbox.example\n');
      const { ready } = await startServer([join(root, 'opt/signalbox/bin/signalbox')], {
        ...withoutNode(),
        SIGNALBOX_RUNNER: 'off',
      });
      expect(ready).toMatchObject({ status: 'ready' });
      dpkg('--install', join(folder, newer ?? ''));
      expect(readFileSync(settings, 'utf8')).toContain('signalbox.example');
      mkdirSync(join(root, 'var/lib/signalbox'), { recursive: true });
      dpkg('--remove', 'signalbox');
      expect([settings, join(root, 'var/lib/signalbox')].map(existsSync)).toEqual([true, true]);
      expect(existsSync(join(root, 'opt/signalbox'))).toBe(false);
      dpkg('--purge', 'signalbox');
      expect([settings, join(root, 'var/lib/signalbox')].map(existsSync)).toEqual([false, false]);
    });
  }
});
