import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ContainerEnvironment } from '@signalbox/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callEngine } from '../environments/container/engine.ts';
import { parseIdentity, signalProcess } from '../process/process-table.ts';
import { requireContainers, type TestContainers } from '../testing/container/container-image.testing.ts';
import { openHarness, play } from '../testing/playbooks.testing.ts';
import type { RunnerHarness } from '../testing/runner-harness.testing.ts';

let containers: TestContainers;
let harness: RunnerHarness;
beforeEach(async () => {
  containers = await requireContainers();
  harness = await openHarness({});
});
afterEach(() => harness.close());

const start = (more: Record<string, string> = {}) => harness.startRunner({ ...containers.settings, ...more });

const job = (id: number, environment: Partial<ContainerEnvironment> = {}) =>
  harness.job(id, {
    secret_environment: { PASSPHRASE: 'open sesame' },
    execution_environment: {
      kind: 'container',
      image: containers.image,
      pull: 'never',
      registry_key_id: null,
      network: 'none',
      memory_mb: null,
      cpus: null,
      pids: null,
      ...environment,
    },
  });

/** Runs a job to its end. */
const finished = async (...given: Parameters<typeof job>) => {
  const run = harness.server.sendJob(job(...given));
  await harness.server.until(() => run.ended, 'the end');
  return { result: run.ended?.result, reason: run.ended?.end_reason, text: run.lines.join('\n'), run };
};

const raw = (name: string, command: string) => [
  `- name: ${name}`,
  `  ansible.builtin.shell: ${JSON.stringify(command)}`,
  '  register: printed',
  `- ansible.builtin.debug: { msg: "${name}: {{ printed.stdout }}" }`,
];

/** Names of the containers of the runs of this machine that name this harness. */
const names = async (): Promise<string> => {
  const format = ['ps', '--all', '--format', '{{.Names}} {{.Labels}} {{.Mounts}}'];
  const end = await callEngine(containers.engine, format, { timeoutMs: 30_000 });
  return end.stdout
    .split('\n')
    .filter((row) => row.includes(harness.folder))
    .join('\n');
};

const WAIT = play('- name: Wait', '  ansible.builtin.shell: echo up > up; while :; do sleep 0.1; done');

/** Starts a run that does not end. */
const waiting = async () => {
  harness.write({ 'site.yml': WAIT });
  const runner = await start();
  await harness.server.message('hello');
  const run = harness.server.sendJob(job(1));
  const up = join(harness.data, 'places', '1-1', 'checkout', 'up');
  await harness.server.until(() => existsSync(up) || run.ended, 'the waiting step');
  expect(run.ended, run.lines.join('\n')).toBeUndefined();
  return { runner, run };
};

const supervisor = () => parseIdentity(readFileSync(harness.inRun(1, 'started'), 'utf8').split('\n')[0] ?? '');

describe('a run in a container', () => {
  it('reports its hosts, and sees nothing of the runner but its own workspace', async () => {
    const reads = (path: string) => `cat ${path} >/dev/null 2>&1 && echo read || echo refused`;
    harness.write({
      'site.yml': play(
        ...raw('variable', 'test "$PASSPHRASE" = "open sesame" && echo known'),
        ...raw('token', reads(join(harness.folder, 'token'))),
        ...raw('job', reads(join(harness.data, 'runs', '1-1', 'job.json'))),
        ...raw('other', `ls ${join(harness.data, 'places')}`),
        ...raw('disk', 'for one in vda sda kmsg; do test -e /dev/$one && echo read; done; echo refused'),
        ...raw('mounting', 'mount -t tmpfs none /tmp >/dev/null 2>&1 && echo mounted || echo refused'),
        ...raw('root', 'touch /usr/x 2>/dev/null && echo written || echo refused'),
        ...raw('process', `test -e /proc/${process.pid} && echo read || echo refused`),
        ...raw('network', 'ls /sys/class/net'),
      ),
    });
    await start();
    await harness.server.message('hello');
    const { result, text, run } = await finished(1);
    expect(result, text).toBe('success');
    expect(run.records.some(({ kind }) => kind === 'stats')).toBe(true);
    for (const what of ['token', 'job', 'disk', 'mounting', 'root', 'process'])
      expect(text, what).toContain(`${what}: refused`);
    expect(text).toContain('variable: known');
    expect(text).toContain('other: 1-1"');
    expect(text).toContain('network: lo"');
    expect(text).toMatch(/Image: \S+ \(sha256:[0-9a-f]{64}\)\nIn the image: ansible-core \d/);
    expect(await names()).toBe('');
  });

  it('stops within the time of the promise, with no container left', async () => {
    const { run } = await waiting();
    expect(await names()).toContain('signalbox-1-1-');
    harness.server.send({ type: 'stop', task_id: 1, epoch: 1, force: false });
    await harness.server.until(() => run.ended, 'the end');
    expect(run.ended?.result).toBe('stopped');
    expect(await names()).toBe('');
  });

  it('continues if the runner is killed, and is found by the next one', async () => {
    const { runner, run } = await waiting();
    runner.kill('SIGKILL');
    await runner.exited;
    expect(await names()).toContain('signalbox-1-1-');
    await start();
    await harness.server.until(
      () => harness.server.messages.filter(({ type }) => type === 'hello').length > 1,
      'hello',
    );
    harness.server.send({ type: 'stop', task_id: 1, epoch: 1, force: true });
    await harness.server.until(() => run.ended, 'the end');
    expect(run.ended?.result).toBe('stopped');
    expect(await names()).toBe('');
  });

  it('[R3] ends as lost if its supervisor is killed, with no container left', async () => {
    const { run } = await waiting();
    signalProcess(supervisor()?.pid ?? 0, 'SIGKILL');
    await harness.server.until(() => run.ended, 'the end');
    expect(run.ended?.end_reason?.code).toBe('supervisor.lost');
    expect(await names()).toBe('');
  });

  it('that exceeds its memory has its own end reason, and other runs continue', async () => {
    harness.write({
      'site.yml': play('- name: Bomb', '  ansible.builtin.shell: python3 -c "x = bytearray(900_000_000)"'),
    });
    await start();
    await harness.server.message('hello');
    const { result, reason, text } = await finished(1, { memory_mb: 300, cpus: 2, pids: 200 });
    expect(result, text).toBe('error');
    expect(reason).toEqual({ code: 'container.out_of_memory', params: { megabytes: 300 } });
  });

  it('is refused with a network that the runner does not allow, or an image that it does not have', async () => {
    await start({ SIGNALBOX_CONTAINER_NETWORKS: 'none' });
    await harness.server.message('hello');
    const { reason } = await finished(1, { network: 'host' });
    expect(reason).toEqual({ code: 'container.network_refused', params: { network: 'host', allowed: 'none' } });
    const missing = await finished(2, { image: 'localhost/signalbox-missing:1' });
    expect(missing.reason?.code).toBe('container.image_not_pulled');
  });

  it('is not possible without an engine, which the runner therefore does not announce', async () => {
    await start({ SIGNALBOX_CONTAINER_ENGINE: 'none' });
    const hello = await harness.server.message('hello');
    expect(hello.environments?.map(({ kind }) => kind)).not.toContain('container');
    expect((await finished(1)).reason?.code).toBe('container.engine_missing');
  });
});
