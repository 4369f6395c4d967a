import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { IdleSupervisor } from '../../process/idle-supervisor.ts';
import { parseIdentity, signalProcess } from '../../process/process-table.ts';
import { startSupervisor } from '../../process/supervisor.ts';
import { requireContainers, type TestContainers } from '../../testing/container/container-image.testing.ts';
import { type ContainerCall, entryOf, INIT_MOUNT, RUN_LABEL, RUNNER_LABEL, runArguments } from './run-arguments.ts';
import { removeContainers } from './runner-containers.ts';

let folder: string;
let name: string;
let supervisor: IdleSupervisor;
let containers: TestContainers;

const read = (file: string) => readFileSync(join(folder, file), 'utf8');

beforeEach(async () => {
  containers = await requireContainers();
  folder = mkdtempSync(join(tmpdir(), 'signalbox-container-'));
  name = `signalbox-test-${folder.slice(-6)}`;
  mkdirSync(join(folder, 'workspace'));
  supervisor = startSupervisor(folder, name, 'python3', '/usr/bin:/bin');
});
afterEach(async () => {
  supervisor.release();
  await supervisor.ended;
  await removeContainers(containers.engine, name, () => true);
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a shell in a container under the supervisor. */
const start = (script: string, more: Partial<ContainerCall> = {}) => {
  const { engine, image } = containers;
  writeFileSync(join(folder, 'env.json'), JSON.stringify({ GREETING: 'from the file' }));
  const workspace = join(folder, 'workspace');
  const files = { environment: join(folder, 'env.json'), memory: join(workspace, 'memory') };
  const call: ContainerCall = {
    name,
    labels: { [RUNNER_LABEL]: name, [RUN_LABEL]: name },
    image,
    user: { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 },
    mounts: [{ path: workspace, isWritable: true }, { path: files.environment }, INIT_MOUNT],
    workingFolder: workspace,
    network: 'none',
    limits: { memory_mb: null, cpus: null, pids: null },
    entry: entryOf(files, ['sh', '-c', script]),
    ...more,
  };
  supervisor.start({
    argv: [...engine.command, ...runArguments(engine, call)],
    cwd: folder,
    env: engine.env,
    user: null,
    output_cap: 1_000_000,
    time_limit: 0,
    container: { engine: [...engine.command], name },
  });
};

const output = (text: string) =>
  expect.poll(() => existsSync(join(folder, 'output.log')) && read('output.log')).toContain(text);
const exit = async () => {
  await supervisor.ended;
  return JSON.parse(read('exit'));
};
const left = () => removeContainers(containers.engine, name, () => true);
const supervisorPid = () => parseIdentity(read('started').split('\n')[0] ?? '')?.pid ?? 0;

describe('a supervised container', () => {
  it('gives its program the variables of the file, and reports its exit code', async () => {
    start('echo "hello $GREETING"; exit 3');
    expect(await exit()).toMatchObject({ reason: 'exited', code: 3 });
    expect(read('output.log')).toBe('hello from the file\n');
    expect(await left()).toBe(0);
  });

  it('stops politely: each process gets INT once, and the engine removes the container', async () => {
    start('trap "echo interrupted; exit 5" INT; echo up; while :; do sleep 0.1; done');
    await output('up');
    signalProcess(supervisorPid(), 'SIGTERM');
    expect(await exit()).toMatchObject({ reason: 'stopped' });
    expect(read('output.log').match(/interrupted/g)).toHaveLength(1);
    expect(await left()).toBe(0);
  });

  it('is killed at once by force, with processes that ignore every signal', async () => {
    start(
      'trap "" INT TERM; setsid sh -c "trap \'\' INT TERM; while :; do sleep 1; done" & echo up; while :; do sleep 1; done',
    );
    await output('up');
    const since = performance.now();
    signalProcess(supervisorPid(), 'SIGUSR1');
    expect(await exit()).toMatchObject({ reason: 'stopped' });
    expect(performance.now() - since).toBeLessThan(4_000);
    expect(await left()).toBe(0);
  });

  it('ends with its watchdog if the supervisor is killed', async () => {
    start('echo up; while :; do sleep 1; done');
    await output('up');
    signalProcess(supervisorPid(), 'SIGKILL');
    await supervisor.ended;
    expect(existsSync(join(folder, 'exit'))).toBe(false);
    expect(await left()).toBe(0);
  });

  it('notes that the kernel killed a process for the memory limit', async () => {
    start('python3 -c "x = bytearray(300_000_000)"; echo still here; exit 4', {
      limits: { memory_mb: 64, cpus: 1, pids: 50 },
    });
    expect(await exit()).toMatchObject({ reason: 'exited', code: 4 });
    expect(read('output.log')).toContain('still here');
    expect(existsSync(join(folder, 'workspace', 'memory'))).toBe(true);
  });
});
