import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Replaces the server, and prints which signals reach it. */
const SERVER = `
process.on('SIGINT', () => { console.log('got SIGINT'); setTimeout(() => process.exit(7), 300); });
process.on('SIGTERM', () => { console.log('got SIGTERM'); process.exit(0); });
setInterval(() => {}, 1000);
const args: string[] = process.argv.slice(2);
console.log('ready ' + args.join(' ') + ' ' + process.pid);
`;

let root: string;

/** The commands in a small product of its own: what they install and build is real, only the server is a few lines. */
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'signalbox-start-'));
  for (const path of ['tooling', 'bin', 'package.json', 'package-lock.json']) {
    cpSync(join(ROOT, path), join(root, path), { recursive: true });
  }
  const plant = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  plant('server/src/main.ts', SERVER);
  plant('web/index.html', '<!doctype html><title>page</title>\n');
  mkdirSync(join(root, 'node_modules'));
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (name !== '.signalbox-lock') symlinkSync(join(ROOT, 'node_modules', name), join(root, 'node_modules', name));
  }
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

interface Started {
  readonly child: ChildProcess;
  /** Resolves with the output so far once it contains a text. */
  printed(text: string): Promise<string>;
  ended: Promise<{ code: number | null; output: string }>;
}

const start = (env: Record<string, string> = {}): Started => {
  const child = spawn(process.execPath, [join(root, 'tooling/start.mjs')], {
    env: { PATH: process.env.PATH, SIGNALBOX_PORT: '0', SIGNALBOX_DATA: join(root, 'data'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const waiting = new Map<string, () => void>();
  const take = (chunk: Buffer): void => {
    output += chunk.toString();
    for (const [text, send] of waiting) if (output.includes(text)) send();
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  return {
    child,
    printed: async (text) => {
      if (!output.includes(text)) await new Promise<void>((resolve) => waiting.set(text, resolve));
      return output;
    },
    ended: once(child, 'close').then(([code]) => ({ code: code as number | null, output })),
  };
};

/** Makes the installed packages match the lock file, as after an earlier installation. */
const stampInstallation = (): void => {
  const hash = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  writeFileSync(join(root, 'node_modules/.signalbox-lock'), hash);
};

describe('npm start', () => {
  beforeAll(async () => {
    stampInstallation();
    const first = start();
    await first.printed('ready server');
    first.child.kill('SIGTERM');
    await first.ended;
  });

  it('builds the page, starts the server, and forwards Ctrl-C exactly once', async () => {
    rmSync(join(root, 'web/dist'), { recursive: true, force: true });
    const first = start();
    expect(await first.printed('ready server')).toContain('Build the page');
    first.child.kill('SIGINT');
    first.child.kill('SIGINT');
    await first.printed('got SIGINT');
    first.child.kill('SIGINT');
    const { code, output } = await first.ended;
    expect(code).toBe(7);
    expect(output.match(/got SIGINT/g)).toHaveLength(1);
  });

  it('prepares only once when it is started twice at the same time', async () => {
    rmSync(join(root, 'web/dist'), { recursive: true, force: true });
    const both = [start(), start({ SIGNALBOX_DATA: join(root, 'data-2') })];
    const outputs = await Promise.all(both.map((one) => one.printed('ready server')));
    expect(outputs.filter((output) => /^Build the page {2}/m.test(output))).toHaveLength(1);
    for (const { child } of both) child.kill('SIGTERM');
    for (const { ended } of both) expect((await ended).code).toBe(0);
  });

  it('repeats no finished step', async () => {
    const second = start();
    expect(await second.printed('ready server')).toMatch(/^ready server \d+\n$/);
    second.child.kill('SIGTERM');
    expect(await second.ended).toMatchObject({ code: 0, output: expect.stringContaining('got SIGTERM') });
  });

  it('leaves no server behind when it is killed', async () => {
    const killed = start();
    await killed.printed('ready server');
    killed.child.kill('SIGKILL');
    // Its output closes only when the server has ended too.
    expect((await killed.ended).output).toContain('got SIGTERM');
  });

  it('builds the page again when its source changed', async () => {
    writeFileSync(join(root, 'web/index.html'), '<!doctype html><title>another page</title>\n');
    const changed = start();
    expect(await changed.printed('ready server')).toContain('Build the page');
    changed.child.kill('SIGTERM');
    await changed.ended;
  });
});

describe('npm start reports in one line what prevents the start', () => {
  it('a port that is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const { code, output } = await start({ SIGNALBOX_PORT: String(port) }).ended;
    other.close();
    expect(code).toBe(1);
    expect(output.trim()).toBe(
      `Port ${port} on 127.0.0.1 is in use by another program. Stop it, or set SIGNALBOX_PORT to a free port.`,
    );
  });

  it('an invalid port', async () => {
    const { code, output } = await start({ SIGNALBOX_PORT: 'http' }).ended;
    expect(code).toBe(1);
    expect(output.trim()).toBe('SIGNALBOX_PORT is http, which is no port. Set it to a number from 1 to 65535.');
  });

  it('a data folder that cannot be written', async () => {
    const folder = join(root, 'package.json', 'data');
    const { code, output } = await start({ SIGNALBOX_DATA: folder }).ended;
    expect(code).toBe(1);
    expect(output.trim()).toBe(
      `The data folder ${folder} cannot be written. Give this user access to it, or set SIGNALBOX_DATA to another folder.`,
    );
  });

  it('a missing tool on a machine without apt', async () => {
    const { code, output } = await start({ PATH: join(root, 'bin') }).ended;
    expect(code).toBe(1);
    expect(output.trim()).toBe(
      'Missing on this machine: git, ssh, python3, ansible-playbook. Install them and run this command again.',
    );
  });
});
