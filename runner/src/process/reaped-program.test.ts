import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isAlive, type ProcessIdentity, parseIdentity } from './process-table.ts';
import { runProgram } from './program.ts';
import { REAPER, runReaped } from './reaped-program.ts';

const BASE = { PATH: '/usr/local/bin:/usr/bin:/bin' };

/** Starts a daemon in a session of its own with an empty environment, which closes all streams, and then ends as argument 2 names. */
const DAEMON = `
import os, signal, sys, time
read, write = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP): signal.signal(number, signal.SIG_IGN)
        os.closerange(0, 3)
        os.execve(sys.executable, [sys.executable, '-c', f'''
import os, time
start = open('/proc/self/stat').read().rsplit(')', 1)[1].split()[19]
open('{sys.argv[1]}.new', 'w').write(f"{{os.getpid()}} {{start}}")
os.rename('{sys.argv[1]}.new', '{sys.argv[1]}')
time.sleep(300)'''], {})
    os._exit(0)
os.wait()
while not os.path.exists(sys.argv[1]): time.sleep(0.01)
print('ready', flush=True)
if sys.argv[2] == 'wait': time.sleep(300)
os.kill(os.getpid(), signal.SIGKILL) if sys.argv[2] == 'die' else sys.exit(3)
`;

/** Starts a reaper for the program in argument 2, waits for its first line, and ends. */
const PARENT = `
import json, os, subprocess, sys
reaper = subprocess.Popen([sys.executable, '-I', '-S', sys.argv[1], str(os.getpid())], start_new_session=True,
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE)
reaper.stdin.write(sys.argv[2].encode())
reaper.stdin.close()
reaper.stdout.readline()
os._exit(0)
`;

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-reaper-'));
  file = join(folder, 'daemon');
});
afterEach(() => {
  const left = daemon();
  if (left && isAlive(left)) process.kill(left.pid, 'SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const daemon = (): ProcessIdentity | undefined =>
  existsSync(file) ? parseIdentity(readFileSync(file, 'utf8')) : undefined;
const isDaemonAlive = () => {
  const found = daemon();
  if (found === undefined) throw new Error('The daemon was not started.');
  return isAlive(found);
};

const run = (how: string, more: { signal?: AbortSignal; timeoutMs?: number; onOutput?: () => void } = {}) =>
  runReaped('/usr/bin/python3', ['-I', '-c', DAEMON, file, how], {
    ...{ base: BASE, cwd: folder, env: BASE, timeoutMs: 60_000 },
    ...more,
  });

describe('the daemons of a reaped program are killed', () => {
  it('when it ends, and its exit code is kept', async () => {
    expect(await run('exit')).toMatchObject({ code: 3, error: null, stdout: 'ready\n' });
    expect(isDaemonAlive()).toBe(false);
  });

  it('when a signal kills it', async () => {
    expect(await run('die')).toMatchObject({ code: 137, error: null });
    expect(isDaemonAlive()).toBe(false);
  });

  it('when the caller aborts it', async () => {
    const abort = new AbortController();
    const end = await run('wait', { signal: abort.signal, onOutput: () => abort.abort() });
    expect(end.error).toBe('aborted');
    expect(isDaemonAlive()).toBe(false);
  });

  it('when it takes too long', async () => {
    expect((await run('wait', { timeoutMs: 2_000 })).error).toBe('timeout');
    expect(isDaemonAlive()).toBe(false);
  });

  it('when the process that started it ends', async () => {
    const argv = ['/usr/bin/python3', '-I', '-c', DAEMON, file, 'wait'];
    const command = JSON.stringify({ argv, cwd: folder, env: BASE, user: null });
    await runProgram('/usr/bin/python3', ['-I', '-c', PARENT, REAPER, command], { env: BASE, timeoutMs: 60_000 });
    await expect.poll(isDaemonAlive).toBe(false);
  });

  it('when its output cannot be processed', async () => {
    const onOutput = () => {
      throw new Error('no space');
    };
    await expect(run('wait', { onOutput })).rejects.toThrow('no space');
    expect(isDaemonAlive()).toBe(false);
  });
});

describe('a reaped program', () => {
  it('gets its own variables only, which the reaper does not get', async () => {
    const env = { SECRET: 'hidden' };
    const script = 'import os; print(sorted(os.environ), "SECRET" in open(f"/proc/{os.getppid()}/environ").read())';
    const end = await runReaped('/usr/bin/python3', ['-I', '-c', script], {
      ...{ base: BASE, cwd: folder, env, timeoutMs: 60_000 },
    });
    expect(end.stdout).toMatch(/^\[.*'SECRET'.*\] False\n$/);
  });

  it('that cannot be started has the reason in its output', async () => {
    const end = await runReaped('/nowhere/program', [], { base: BASE, cwd: folder, env: BASE, timeoutMs: 60_000 });
    expect(end).toMatchObject({ code: 127, error: null });
    expect(end.stderr).toContain('No such file');
  });
});
