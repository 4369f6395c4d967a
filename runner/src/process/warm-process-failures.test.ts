import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestClock } from '../testing/test-clock.testing.ts';
import { startWarmProcess } from '../testing/warm-process.testing.ts';
import { killMarked } from './process-table.ts';
import { WarmProcess } from './warm-process.ts';

const PATH = '/usr/local/bin:/usr/bin:/bin';
const PAUSE_MS = 10 * 60_000;
const isRoot = process.getuid?.() === 0;

let folder: string;
let marker: string;
let clock: TestClock;
let log: string[];
let warm: WarmProcess;

const program = (change: { interpreter?: string; module?: string } = {}) => ({
  path: join(folder, 'program'),
  interpreter: '/usr/bin/python3',
  module: 'json',
  configuration: [],
  parsed: [],
  ...change,
});
const make = (started = program(), socketFolder = join(folder, 'warm')) =>
  new WarmProcess({
    folder: socketFolder,
    env: { PATH, LANG: 'C.UTF-8' },
    python: () => 'python3',
    program: () => started,
    log: (text) => log.push(text),
    clock,
  });
const line = (reason: string) => `Runs are started without the warm process for 10 minutes: ${reason}.`;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-warm-failures-'));
  chmodSync(folder, 0o755);
  marker = `warm-failure-${folder.slice(-6)}`;
  clock = new TestClock();
  log = [];
  writeFileSync(join(folder, 'program'), '#!/usr/bin/python3\n', { mode: 0o755 });
});
afterEach(async () => {
  warm?.stop();
  await killMarked(marker);
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a run without the warm process. */
const expectRun = async (name: string) => {
  const path = join(folder, name);
  mkdirSync(path);
  const supervisor = warm.supervisor(path, marker);
  const env = { PATH, SIGNALBOX_RUN: marker };
  supervisor.start({ argv: ['/bin/echo', 'up'], cwd: path, env, user: null, output_cap: 1000, time_limit: 0 });
  await supervisor.ended;
  expect(readFileSync(join(path, 'output.log'), 'utf8')).toBe('up\n');
};

describe('a warm process that cannot be started', () => {
  it('is started again after ten minutes, and logs the reason once in this time', async () => {
    warm = make(program({ module: 'no_such_module' }));
    const reason = line("ModuleNotFoundError: No module named 'no_such_module'");
    expect(await warm.start()).toBe(false);
    expect(log).toEqual([reason]);
    clock.advance(PAUSE_MS - 1);
    expect(await warm.start()).toBe(false);
    for (const name of ['first', 'second', 'third']) await expectRun(name);
    expect(log).toEqual([reason]);
    clock.advance(1);
    expect(await warm.start()).toBe(false);
    expect(log).toEqual([reason, reason]);
  });

  it('logs the last line of its standard error', async () => {
    writeFileSync(join(folder, 'python'), '#!/bin/sh\necho first >&2\necho "the last line" >&2\nexit 1\n', {
      mode: 0o755,
    });
    warm = make(program({ interpreter: join(folder, 'python') }));
    expect(await warm.start()).toBe(false);
    expect(log).toEqual([line('the last line')]);
  });

  it('holds back no run if its folder cannot be made', async () => {
    warm = make(program(), join(folder, 'program', 'warm'));
    expect(await warm.start()).toBe(false);
    expect(log).toHaveLength(1);
    expect(log[0]).toContain('ENOTDIR');
    await expectRun('run');
  });

  it('holds back no run if its interpreter cannot be executed', async () => {
    writeFileSync(join(folder, 'python'), '#!/bin/sh\n', { mode: 0o644 });
    warm = make(program({ interpreter: join(folder, 'python') }));
    expect(await warm.start()).toBe(false);
    expect(log).toEqual([line(`spawn ${join(folder, 'python')} EACCES`)]);
    expect(warm.pid).toBeUndefined();
    await expectRun('run');
  });
});

describe('[S5] the socket of a warm process', () => {
  it('is in a folder of its user, and is closed to other users even if they reach it', async () => {
    const tested = await startWarmProcess();
    warm = tested.process;
    try {
      const sockets = join(tested.folder, 'warm');
      expect(statSync(sockets).mode & 0o777).toBe(0o700);
      chmodSync(sockets, 0o711);
      chmodSync(join(sockets, 'socket'), 0o777);
      // The warm process accepts a connection of its own user, and waits for the request.
      const connect = `
import socket, json
one = socket.socket(socket.AF_UNIX)
one.connect("${sockets}/socket")
try:
    one.sendall(json.dumps({"folder": "/", "env": {}}).encode() + b"\\n")
    print(one.recv(100).decode().strip().isdigit())
except OSError: print(False)`;
      const connectAs = (prefix: string[]) => {
        const [name = '', ...args] = [...prefix, '/usr/bin/python3', '-I', '-S', '-c', connect];
        return spawnSync(name, args, { encoding: 'utf8', cwd: '/' });
      };
      expect(connectAs([]).stdout).toBe('True\n');
      const other = connectAs(['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups']);
      // Only root can act as another user.
      expect(other.stdout).toBe(isRoot ? 'False\n' : '');
      expect(connectAs([]).stdout).toBe('True\n');
      expect(tested.log).toEqual([]);
    } finally {
      tested.close();
    }
  });
});
