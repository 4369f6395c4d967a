import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runEndOf } from '../runs/end/run-end.ts';
import { ExitRecord } from '../runs/folder/run-folder.ts';
import { sleepers } from '../testing/sleepers.testing.ts';
import {
  START_MODES,
  type StartMode,
  startWarmProcess,
  type TestedWarmProcess,
} from '../testing/warm-process.testing.ts';
import type { IdleSupervisor } from './idle-supervisor.ts';
import { isAlive, killMarked, markedProcesses, parseIdentity, signalProcess, waitUntilEnded } from './process-table.ts';
import { SUPERVISOR, startSupervisor } from './supervisor.ts';

const PATH = '/usr/local/bin:/usr/bin:/bin';
/** An argument of `sleep` that no other test run on this machine uses, because the processes are found by it. */
const nap = (seconds: number) => `${seconds}.${process.pid}`;
const APP = { program: 'python3', runTitle: 'Run', exitLine: () => '' };
let folder: string;
let marker: string;
let supervisor: IdleSupervisor;
let warm: TestedWarmProcess;
let mode: StartMode;

beforeAll(async () => {
  warm = await startWarmProcess();
});
afterAll(() => {
  warm.close();
  expect(warm.log).toEqual([]);
});

const newSupervisor = () =>
  mode.isForked ? warm.process.supervisor(folder, marker) : startSupervisor(folder, marker, 'python3', PATH);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-supervisor-'));
  marker = `supervisor-test-${folder.slice(-6)}`;
});
afterEach(async () => {
  await killMarked(marker);
  await supervisor.ended;
  rmSync(folder, { recursive: true, force: true });
});

const python = (program: string, more: Partial<Parameters<IdleSupervisor['start']>[0]> = {}) =>
  supervisor.start({
    argv: mode.isInside ? [warm.program.path, '-c', program] : ['/usr/bin/python3', '-I', '-u', '-c', program],
    cwd: folder,
    env: { PATH, LANG: 'C.UTF-8', PYTHONUNBUFFERED: '1', SIGNALBOX_RUN: marker },
    user: null,
    output_cap: 1_000_000,
    time_limit: 0,
    ...more,
  });
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const exit = async () => {
  await supervisor.ended;
  return ExitRecord.parse(JSON.parse(read('exit')));
};
const output = async (text: string) => {
  for (let tries = 0; tries < 1000; tries += 1) {
    try {
      if (read('output.log').includes(text)) return;
    } catch {
      // The file does not exist so far.
    }
    await delay(10);
  }
  throw new Error(`The output does not contain ${text}.`);
};
/** Child processes of the supervisor. */
const markedChildren = async () =>
  (await markedProcesses(marker)).filter(
    (pid) => Number(readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ')[1]) === supervisorPid(),
  );
/** The supervisor and its watchdog. */
const starters = () => read('started').trim().split('\n').map(parseIdentity);
const supervisorPid = () => starters()[0]?.pid ?? 0;

describe.each(START_MODES)('$title', (tested) => {
  beforeEach(() => {
    mode = tested;
    supervisor = newSupervisor();
  });

  it('executes the program as in the mode that is tested', async () => {
    python(
      'import os, time\nprint("space", open("/proc/self/auxv", "rb").read().hex())\nwhile not os.path.exists("go"): time.sleep(0.01)',
    );
    await output('\n');
    const spaceOf = (pid = 0) => readFileSync(`/proc/${pid}/auxv`).toString('hex');
    const forked = spaceOf(warm.process.pid);
    // A process that was forked and executed nothing has the address space of the warm process.
    expect(starters().map((one) => spaceOf(one?.pid) === forked)).toEqual([mode.isForked, mode.isForked]);
    expect(read('output.log') === `space ${forked}\n`).toBe(mode.isInside);
    writeFileSync(join(folder, 'go'), '');
    expect(await exit()).toMatchObject({ code: 0 });
  });

  describe('a time limit', () => {
    it('ends everything that the command started, and is recorded as the reason', async () => {
      const loop =
        'import os, time\nif os.fork() == 0: os.setsid()\nprint("up", flush=True)\nwhile True: time.sleep(9)';
      python(loop, { time_limit: 5 });
      await output('up');
      expect(await exit()).toMatchObject({ reason: 'time_limit' });
      expect(await markedProcesses(marker)).toEqual([]);
    });

    it('changes nothing if it is not reached', async () => {
      python('print("done")', { time_limit: 60 });
      expect(await exit()).toMatchObject({ reason: 'exited', code: 0 });
    });
  });

  describe('a command that is killed', () => {
    it('leaves no child processes', async () => {
      python(
        'import os, time\nif os.fork() == 0: os.setsid()\nprint(os.getpid(), flush=True)\nwhile True: time.sleep(9)',
      );
      await output('\n');
      const [main] = await markedChildren();
      signalProcess(main ?? 0, 'SIGKILL');
      expect(await exit()).toMatchObject({ reason: 'exited', code: null, signal: 9 });
      expect(await markedProcesses(marker)).toEqual([]);
    });
  });

  describe('[R5] a watchdog', () => {
    const DAEMON = [
      'import os, time',
      'if os.fork() == 0:',
      '    os.setsid()',
      `    if os.fork() == 0: os.execve("/bin/sleep", ["sleep", "${nap(31)}"], {})`,
      '    os._exit(0)',
      'os.wait()',
      'print("up", flush=True)',
      'time.sleep(60)',
    ].join('\n');

    it('ends all processes of a killed supervisor, also a daemon with another group, session and environment', async () => {
      python(DAEMON);
      await output('up');
      await expect.poll(() => sleepers(nap(31))).toHaveLength(1);
      signalProcess(supervisorPid(), 'SIGKILL');
      await supervisor.ended;
      expect(await sleepers(nap(31))).toEqual([]);
      expect(await markedProcesses(marker)).toEqual([]);
      expect(() => read('exit')).toThrow();
    });

    it('is not needed after the start: the run continues if it is killed, and can be stopped', async () => {
      python(DAEMON);
      await output('up');
      const [keeping, watchdog] = starters();
      signalProcess(watchdog?.pid ?? 0, 'SIGKILL');
      await supervisor.ended;
      expect(keeping && isAlive(keeping)).toBe(true);
      signalProcess(supervisorPid(), 'SIGUSR1');
      expect(keeping && (await waitUntilEnded(keeping, 5_000))).toBe(true);
      expect(ExitRecord.parse(JSON.parse(read('exit')))).toMatchObject({ reason: 'stopped' });
      expect(await sleepers(nap(31))).toEqual([]);
    });

    it('forwards signals to the supervisor while other processes do not know its pid', async () => {
      python(DAEMON);
      await output('up');
      signalProcess(supervisor.pid ?? 0, 'SIGUSR1');
      expect(await exit()).toMatchObject({ reason: 'stopped' });
    });
  });

  describe('[R16] the times of lines', () => {
    it('never go back, also if the clock was set back by two hours since the last line', async () => {
      const ahead = Date.now() + 7_200_000;
      writeFileSync(join(folder, 'output.log'), 'before\n');
      writeFileSync(join(folder, 'times.log'), `7 ${ahead}\n`);
      python('import time\nfor n in range(5): print(n, flush=True); time.sleep(0.05)');
      await exit();
      const times = read('times.log')
        .trim()
        .split('\n')
        .map((row) => Number(row.split(' ')[1]));
      expect(times.length).toBeGreaterThan(3);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      expect(times.at(-1)).toBeLessThan(ahead + 60_000);
    });
  });

  describe('a supervisor', () => {
    it('stores all output in order, and how the command ended', async () => {
      python('import sys\nfor n in range(50000): print(n)\nsys.stderr.write("last, without an end"); sys.exit(7)');
      expect(await exit()).toMatchObject({ reason: 'exited', code: 7, signal: null });
      const expected = `${Array.from({ length: 50_000 }, (_, n) => `${n}\n`).join('')}last, without an end`;
      expect(read('output.log')).toBe(expected);
      expect((await exit()).bytes).toBe(expected.length);
      const pairs = read('times.log')
        .trim()
        .split('\n')
        .map((row) => row.split(' ').map(Number));
      expect(pairs.at(-1)?.[0]).toBe(expected.length);
      expect(pairs.every(([, time]) => Math.abs(Date.now() - (time ?? 0)) < 60_000)).toBe(true);
      for (const name of ['output.log', 'times.log', 'started', 'exit']) {
        expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
      }
    });

    it('executes nothing without a command', async () => {
      supervisor.release();
      await supervisor.ended;
      expect(() => read('started')).toThrow();
      expect(() => read('exit')).toThrow();
    });

    it('never starts a run twice', async () => {
      python('print("once")');
      await exit();
      const again = newSupervisor();
      again.start({ argv: ['/bin/echo', 'twice'], cwd: folder, env: {}, output_cap: 1000, time_limit: 0, user: null });
      await again.ended;
      expect(read('output.log')).toBe('once\n');
    });

    it('records why a command cannot be started', async () => {
      python('', { argv: ['/nowhere/ansible-playbook'] });
      expect(await exit()).toMatchObject({ reason: 'not_started', message: expect.stringContaining('No such file') });
    });

    it('records the signal that ended the command', async () => {
      python('import os; os.kill(os.getpid(), 9)');
      expect(await exit()).toMatchObject({ reason: 'exited', code: null, signal: 9 });
    });

    it('does not wait for a daemon that keeps the pipe open', async () => {
      python(`
import os, sys
if os.fork() == 0:
    os.setsid()
    os.execvp("sleep", ["sleep", "60"])
print("main ends")`);
      const before = performance.now();
      expect(await exit()).toMatchObject({ reason: 'exited', code: 0 });
      // A supervisor that waits for the daemon would take a minute.
      expect(performance.now() - before).toBeLessThan(30_000);
      expect(read('output.log')).toBe('main ends\n');
    });

    it('stops a command that ends on SIGINT without force', async () => {
      python(
        'import time\ntry:\n    print("ready")\n    time.sleep(60)\nexcept KeyboardInterrupt: print("cleaned up")',
      );
      await output('ready');
      signalProcess(supervisorPid(), 'SIGTERM');
      expect(await exit()).toMatchObject({ reason: 'stopped' });
      expect(read('output.log')).toBe('ready\ncleaned up\n');
    });

    it('stops a command that ignores SIGINT and SIGTERM, with all daemons, within ten seconds', async () => {
      python(`
import os, signal, time
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP): signal.signal(number, signal.SIG_IGN)
for n in range(3):
    if os.fork() == 0:
        os.setsid()
        if os.fork(): os._exit(0)
        os.execve("/bin/sleep", ["sleep", "${nap(61)}"], {})
print("ready")
while True: time.sleep(60)`);
      await output('ready');
      const before = performance.now();
      signalProcess(supervisorPid(), 'SIGTERM');
      expect(await exit()).toMatchObject({ reason: 'stopped', signal: 9 });
      const took = performance.now() - before;
      expect(took).toBeGreaterThan(7_500);
      expect(took).toBeLessThan(10_000);
      expect(await markedProcesses(marker)).toEqual([]);
      // The daemons carry no marker, so they can only be found by name.
      expect(await sleepers(nap(61))).toEqual([]);
    });

    it('kills all processes at once with force, also detached ones', async () => {
      python(`
import os, signal, time
signal.signal(signal.SIGINT, signal.SIG_IGN)
if os.fork() == 0:
    os.setsid()
    if os.fork(): os._exit(0)
    os.execve("/bin/sleep", ["sleep", "${nap(62)}"], {})
print("ready")
while True: time.sleep(60)`);
      await output('ready');
      const before = performance.now();
      signalProcess(supervisorPid(), 'SIGUSR1');
      expect(await exit()).toMatchObject({ reason: 'stopped', signal: 9 });
      expect(performance.now() - before).toBeLessThan(2_000);
      expect(await sleepers(nap(62))).toEqual([]);
    });

    it('[R5] kills a command that keeps forking with force, and records its end', async () => {
      python(`
import os, time
if os.fork() == 0:
    os.closerange(0, 3)
    end = time.monotonic() + 30
    while time.monotonic() < end:
        if os.fork(): os._exit(0)
        os.setsid()
    os._exit(0)
print("ready")
time.sleep(60)`);
      await output('ready');
      signalProcess(supervisorPid(), 'SIGUSR1');
      expect(await exit()).toMatchObject({ reason: 'stopped', signal: 9 });
      for (let checks = 0; checks < 20; checks += 1) expect(await markedProcesses(marker)).toEqual([]);
    });

    it('records a success if the command ends by itself before the stop', async () => {
      python('print("done")');
      const exitRecord = await exit();
      signalProcess(supervisor.pid ?? 0, 'SIGTERM');
      expect(exitRecord).toMatchObject({ reason: 'exited', code: 0 });
    });

    it('truncates output beyond the limit, and appends a line about that', async () => {
      python('for n in range(100000): print("y" * 99)\nprint("end")', {
        output_cap: 10_000,
      });
      expect(await exit()).toMatchObject({ reason: 'exited', code: 0 });
      const text = read('output.log');
      expect(text.length).toBeLessThan(10_200);
      expect(text).toMatch(/\nThe log is longer than 10000 bytes: the rest of the output is not kept\.\n$/);
    });

    it('passes only the three standard streams to the command, with an empty standard input', async () => {
      python('import os\nprint(sorted(int(n) for n in os.listdir("/proc/self/fd"))[:4], os.read(0, 1))');
      await exit();
      expect(read('output.log')).toMatch(/^\[0, 1, 2, 3\] b''\n$/);
    });

    it('runs in its own session, which its watchdog leads', async () => {
      python('import time; print("ready"); time.sleep(60)');
      await output('ready');
      const [identity, watchdog] = starters();
      expect(identity && isAlive(identity)).toBe(true);
      const fields = readFileSync(`/proc/${identity?.pid}/stat`, 'latin1')
        .replace(/^.*\) /, '')
        .split(' ');
      expect([Number(fields[1]), Number(fields[3])]).toEqual([watchdog?.pid, supervisor.pid]);
      expect(watchdog?.pid).toBe(supervisor.pid);
    });
  });
});

describe('a process that became another user', () => {
  beforeEach(() => {
    [mode] = START_MODES as [StartMode];
    supervisor = newSupervisor();
  });

  it('is named if it cannot be ended, and does not delay the end', async () => {
    // Only root can imitate sudo and act as another user who may not end the process.
    if (process.getuid?.() !== 0) return expect(spawnSync('setpriv', ['--reuid', '0', 'true']).status).not.toBe(0);
    chmodSync(folder, 0o777);
    const asRoot = join(folder, 'as-root');
    copyFileSync('/usr/bin/setpriv', asRoot);
    chmodSync(asRoot, 0o4755);
    const nobody = ['--reuid', '65534', '--regid', '65534', '--clear-groups'];
    const supervisor = spawn('setpriv', [...nobody, 'python3', '-I', '-S', SUPERVISOR, folder], {
      env: { PATH, SIGNALBOX_RUN: marker },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const gone = once(supervisor, 'close');
    supervisor.stdin.end(
      JSON.stringify({
        argv: [asRoot, '--reuid', '0', '/bin/sh', '-c', 'echo up; exec /bin/sleep 300'],
        cwd: folder,
        env: { PATH, SIGNALBOX_RUN: marker },
        user: null,
        output_cap: 1_000_000,
        time_limit: 0,
      }),
    );
    await output('up');
    signalProcess(supervisorPid(), 'SIGUSR1');
    await gone;
    const exitRecord = ExitRecord.parse(JSON.parse(read('exit')));
    const [left = 0] = exitRecord.left ?? [];
    expect(exitRecord).toMatchObject({ reason: 'stopped', code: null, left: [left] });
    expect(readFileSync(`/proc/${left}/cmdline`, 'utf8')).toContain('/bin/sleep');
    expect(runEndOf(exitRecord, APP).line).toContain(`could not be ended by this runner and may continue: ${left}.`);
  });
});
