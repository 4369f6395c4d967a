import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestClock } from '../testing/test-clock.testing.ts';
import { startWarmProcess, type TestedWarmProcess } from '../testing/warm-process.testing.ts';
import type { IdleSupervisor, SupervisorCommand } from './idle-supervisor.ts';
import { identityOf, isAlive, killMarked, signalProcess, waitUntilEnded } from './process-table.ts';
import { SUPERVISOR_FOLDER } from './supervisor.ts';
import { WarmProcess } from './warm-process.ts';

const PATH = '/usr/local/bin:/usr/bin:/bin';
const NOBODY = { name: 'nobody', uid: 65534, gid: 65534 };
const isRoot = process.getuid?.() === 0;
const IDLE_MS = 10 * 60_000;
/** Prints which address space the program has. */
const SPACE = 'print("space", open("/proc/self/auxv", "rb").read().hex())';

let folder: string;
let marker: string;
let warm: TestedWarmProcess;
let clock: TestClock;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-warm-run-'));
  chmodSync(folder, 0o755);
  marker = `warm-test-${folder.slice(-6)}`;
  clock = new TestClock();
  warm = await startWarmProcess({}, clock);
});
afterEach(async () => {
  await killMarked(marker);
  warm.close();
  rmSync(folder, { recursive: true, force: true });
});

let lastRun = 0;
const runFolder = () => {
  const path = join(folder, `run-${++lastRun}`);
  mkdirSync(path);
  return path;
};
const command = (program: string, change: Partial<SupervisorCommand> = {}): SupervisorCommand => ({
  argv: [warm.program.path, '-c', program],
  cwd: folder,
  env: { PATH, LANG: 'C.UTF-8', PYTHONUNBUFFERED: '1', HOME: folder, SIGNALBOX_RUN: marker },
  user: null,
  output_cap: 1_000_000,
  time_limit: 0,
  ...change,
});
const finish = async (supervisor: IdleSupervisor, path: string) => {
  expect(await supervisor.ended).toBe(false);
  return {
    output: readFileSync(join(path, 'output.log'), 'utf8'),
    exit: JSON.parse(readFileSync(join(path, 'exit'), 'utf8')),
  };
};
const run = (program: string, change: Partial<SupervisorCommand> = {}) => {
  const path = runFolder();
  const supervisor = warm.process.supervisor(path, marker);
  supervisor.start(command(program, change));
  return finish(supervisor, path);
};
/** Whether a program was forked and not executed. */
const isForked = async (change: Partial<SupervisorCommand> = {}) => {
  const own = readFileSync(`/proc/${warm.process.pid}/auxv`).toString('hex');
  const { output } = await run(SPACE, change);
  expect(output).toContain('space ');
  return output === `space ${own}\n`;
};
/** The only line of the log. */
const line = (reason: string) => [`Runs are started without the warm process for 10 minutes: ${reason}.`];
const withEnv = (more: Record<string, string>) => ({ env: { ...command('').env, ...more } });

describe('a warm process', () => {
  it('forks programs whose variables change nothing that it has loaded', async () => {
    expect(await isForked()).toBe(true);
    expect(await isForked(withEnv({ HOME: '/', ANSIBLE_FORKS: '1', FOO: 'ü', http_proxy: 'http://proxy' }))).toBe(true);
  });

  it.each<Record<string, string>>([
    { PYTHONHASHSEED: '0' },
    { PYTHONPATH: '/tmp' },
    { LD_LIBRARY_PATH: '/tmp' },
    { LC_ALL: 'C.UTF-8' },
    { TZ: 'Asia/Tokyo' },
    { OPENSSL_CONF: '/dev/null' },
    { SSL_CERT_FILE: '/dev/null' },
    { PYTHONUNBUFFERED: 'yes' },
  ])('executes programs with %o', async (more) => {
    expect(await isForked(withEnv(more))).toBe(false);
  });

  it('executes programs of a user with packages of their own', async () => {
    const { output } = await run('import site; print(site.getusersitepackages())');
    mkdirSync(output.trim(), { recursive: true });
    expect(await isForked()).toBe(false);
  });

  it('executes other programs', async () => {
    const other = join(folder, 'other');
    writeFileSync(other, readFileSync(warm.program.path), { mode: 0o755 });
    expect(await isForked({ argv: [other, '-c', SPACE] })).toBe(false);
  });

  it('forks programs as the run user, and refuses what this user may not execute', async () => {
    if (!isRoot) {
      const { exit } = await run('', { user: NOBODY });
      expect(exit).toMatchObject({ reason: 'not_started', message: expect.stringContaining('not permitted') });
      return;
    }
    expect(await isForked({ user: NOBODY })).toBe(true);
    chmodSync(warm.program.path, 0o750);
    const { exit } = await run('', { user: NOBODY });
    expect(exit).toMatchObject({ reason: 'not_started', message: expect.stringContaining('Permission denied') });
  });

  it('ends once a file that it has loaded has changed, and the run is started without it', async () => {
    const identity = identityOf(warm.process.pid ?? 0);
    writeFileSync(warm.program.path, '#!/usr/bin/python3\nprint("changed")\n');
    expect(await run('')).toMatchObject({ output: 'changed\n', exit: { code: 0 } });
    expect(identity && (await waitUntilEnded(identity, 10_000))).toBe(true);
    expect(await run('')).toMatchObject({ output: 'changed\n' });
  });

  it('is not started again if it has ended after less than three runs', async () => {
    const end = async () => {
      const identity = identityOf(warm.process.pid ?? 0);
      appendFileSync(warm.program.path, '\n');
      await run('');
      expect(identity && (await waitUntilEnded(identity, 10_000))).toBe(true);
      await expect.poll(() => warm.process.pid).toBeUndefined();
    };
    for (let runs = 0; runs < 3; runs += 1) await run('');
    await end();
    expect(await warm.process.start()).toBe(true);
    expect(warm.log).toEqual([]);
    await end();
    expect(await warm.process.start()).toBe(false);
    expect(warm.log).toEqual(line(`${warm.program.path} has changed`));
  });

  it('does not start with files that another user can change', async () => {
    const refused = async (change: () => void) => {
      warm.process.stop();
      change();
      return warm.process.start();
    };
    expect(await refused(() => chmodSync(warm.program.path, 0o777))).toBe(false);
    expect(warm.log).toEqual(line(`${warm.program.path} can be changed by another user`));
    warm.close();
    warm = await startWarmProcess();
    expect(await refused(() => chmodSync(warm.folder, 0o777))).toBe(false);
    expect(warm.log).toEqual(line(`${warm.folder} can be changed by another user`));
    // Only root can change owners.
    if (!isRoot) return;
    warm.close();
    warm = await startWarmProcess();
    expect(await refused(() => chownSync(warm.program.path, NOBODY.uid, 0))).toBe(false);
    warm.close();
    warm = await startWarmProcess();
    expect(await refused(() => chownSync(warm.folder, NOBODY.uid, 0))).toBe(false);
    warm.close();
    const mark = join(folder, 'executed');
    const interpreter = join(folder, 'python3');
    writeFileSync(interpreter, `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 });
    chownSync(interpreter, NOBODY.uid, 0);
    await expect(startWarmProcess({ interpreter })).rejects.toThrow('did not start');
    expect(existsSync(mark)).toBe(false);
    warm = await startWarmProcess();
  });

  it('does not hold back a run if the program cannot be read', async () => {
    const path = runFolder();
    const log: string[] = [];
    const unreadable = new WarmProcess({
      folder: join(folder, 'warm'),
      env: { PATH },
      python: () => 'python3',
      program: () => {
        throw new Error('EMFILE');
      },
      log: (text) => log.push(text),
    });
    expect(await unreadable.start()).toBe(false);
    const supervisor = unreadable.supervisor(path, marker);
    supervisor.start(command('print("done")'));
    expect(await finish(supervisor, path)).toMatchObject({ output: 'done\n' });
    expect(log).toEqual(line('EMFILE'));
    unreadable.stop();
  });

  it('ends when the runner has ended', async () => {
    const program = JSON.stringify(warm.program);
    const child = spawn('/usr/bin/python3', [join(SUPERVISOR_FOLDER, 'warm.py'), program], {
      cwd: folder,
      env: { PATH, LANG: 'C.UTF-8' },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    });
    const ended = once(child, 'exit');
    await once(child.stdout ?? child, 'data');
    child.stdio[3]?.destroy();
    expect(await ended).toEqual([0, null]);
  });

  it('does not hold back a run if it hangs, and is ended', async () => {
    const identity = identityOf(warm.process.pid ?? 0);
    signalProcess(warm.process.pid ?? 0, 'SIGSTOP');
    const runs = [run('print("first")'), run('print("second")')];
    clock.advance(3_000);
    expect(await Promise.all(runs)).toMatchObject([{ output: 'first\n' }, { output: 'second\n' }]);
    expect(identity && (await waitUntilEnded(identity, 10_000))).toBe(true);
    expect(warm.log).toEqual(line('the warm process has answered no run for 3 seconds'));
    expect(await warm.process.start()).toBe(false);
  });

  it('ends after ten minutes without a run', async () => {
    const identity = identityOf(warm.process.pid ?? 0);
    await run('');
    clock.advance(IDLE_MS - 1);
    await run('');
    clock.advance(IDLE_MS - 1);
    expect(identity && isAlive(identity)).toBe(true);
    clock.advance(1);
    expect(identity && (await waitUntilEnded(identity, 10_000))).toBe(true);
    expect(warm.process.pid).toBeUndefined();
    await run('');
    expect(warm.process.pid).toBeUndefined();
    await run('');
    expect(warm.process.pid).toBeDefined();
    expect(warm.log).toEqual([]);
  });

  it('can be killed while supervisors wait and run', async () => {
    const [waiting, running] = [runFolder(), runFolder()];
    const idle = warm.process.supervisor(waiting, marker);
    const busy = warm.process.supervisor(running, marker);
    busy.start(
      command('import sys, time\nprint("up")\nwhile not __import__("os").path.exists("go"): time.sleep(0.01)'),
    );
    await expect.poll(() => idle.pid).toBeGreaterThan(1);
    await expect.poll(() => readFileSync(join(running, 'output.log'), 'utf8'), { timeout: 10_000 }).toBe('up\n');
    signalProcess(warm.process.pid ?? 0, 'SIGKILL');
    idle.start(command('print("later")'));
    expect(await finish(idle, waiting)).toMatchObject({ output: 'later\n', exit: { code: 0 } });
    expect(busy.isRunning()).toBe(true);
    writeFileSync(join(folder, 'go'), '');
    expect(await finish(busy, running)).toMatchObject({ output: 'up\n', exit: { code: 0 } });
  });

  it('can be killed at any moment of a start', async () => {
    for (let round = 0; round < 5; round += 1) {
      const runs = Array.from({ length: 3 }, () => run('print("once")'));
      // The requests are in its socket, and some of its processes have begun.
      await new Promise((resolve) => setImmediate(resolve));
      signalProcess(warm.process.pid ?? 0, 'SIGKILL');
      for (const result of await Promise.all(runs))
        expect(result).toMatchObject({ output: 'once\n', exit: { code: 0 } });
      warm.process.stop();
      expect(await warm.process.start()).toBe(true);
    }
  });

  it('ends a supervisor that is stopped before it has its command', async () => {
    const [first, second] = [runFolder(), runFolder()];
    const early = warm.process.supervisor(first, marker);
    early.signal('SIGTERM');
    expect(await early.ended).toBe(false);
    const late = warm.process.supervisor(second, marker);
    await expect.poll(() => late.pid).toBeGreaterThan(1);
    late.signal('SIGTERM');
    expect(await late.ended).toBe(false);
    for (const path of [first, second]) expect(() => readFileSync(join(path, 'started'))).toThrow();
  });
});

describe('[S5] the code of a run', () => {
  it('finds nothing of another run or of the runner in its memory', async () => {
    const secret = `hidden-${Math.random().toString().slice(2, 12)}`;
    await run('import os; print(len(os.environ["SECRET"]))', withEnv({ SECRET: secret }));
    const { output } = await run(`
import os, re
found = []
memory = open("/proc/self/mem", "rb")
for row in open("/proc/self/maps"):
    start, end = (int(one, 16) for one in row.split()[0].split("-"))
    if row.split()[1].startswith("rw"):
        memory.seek(start)
        try: found += re.findall(rb"hidde[n]-[0-9]{8,}", memory.read(end - start))
        except OSError: pass
print(found, os.environ.get("SECRET"))
print(re.search(rb"NODE|npm_", open("/proc/%d/environ" % ${warm.process.pid}, "rb").read()) if ${isRoot ? 'True' : 'False'} else None)`);
    expect(output).toBe('[] None\nNone\n');
  });

  it('cannot reach the warm process as the run user', async () => {
    if (!isRoot) {
      // Then there is no run user.
      expect((await run('', { user: NOBODY })).exit).toMatchObject({ reason: 'not_started' });
      return;
    }
    const { output } = await run(
      `
import ctypes, os, socket
pid = ${warm.process.pid}
def attempt(name, action):
    try: print(name, "reached", action())
    except OSError as error: print(name, error.strerror)
def attach(request):
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.ptrace(request, pid, 0, 0) < 0: raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
attempt("signal", lambda: os.kill(pid, 9))
attempt("ptrace", lambda: attach(16))
attempt("memory", lambda: open("/proc/%d/mem" % pid, "rb"))
attempt("variables", lambda: open("/proc/%d/environ" % pid, "rb"))
attempt("files", lambda: os.listdir("/proc/%d/fd" % pid))
attempt("socket", lambda: socket.socket(socket.AF_UNIX).connect("${warm.folder}/warm/socket"))
attempt("supervisor", lambda: os.kill(os.getppid(), 9))
attempt("inherited", lambda: sorted(int(one) for one in os.listdir("/proc/self/fd"))[3:4])`,
      { user: NOBODY },
    );
    const [refused, denied] = ['Operation not permitted', 'Permission denied'];
    expect(output.trim().split('\n')).toEqual([
      `signal ${refused}`,
      `ptrace ${refused}`,
      `memory ${denied}`,
      `variables ${denied}`,
      `files ${denied}`,
      `socket ${denied}`,
      `supervisor ${refused}`,
      'inherited reached [3]',
    ]);
    expect(await isForked({ user: NOBODY })).toBe(true);
  });
});
