import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RunnerHarness } from '../testing/runner-harness.testing.ts';

const ONCE = { SIGNALBOX_RUNNER_ONCE: '1' };

const setUp = async () => {
  const harness = new RunnerHarness({ 'site.yml': '- hosts: all\n  gather_facts: false\n  tasks: []\n' });
  onTestFinished(() => harness.close());
  await harness.server.listen();
  return { harness, server: harness.server };
};

const REGISTERED = { SIGNALBOX_SERVER: '', SIGNALBOX_RUNNER_TOKEN_FILE: '' };

/** Writes the credential of an ephemeral runner, and returns its file. */
const register = ({ data, server }: RunnerHarness): string => {
  mkdirSync(data, { mode: 0o700 });
  const file = join(data, 'credential.json');
  const credential = { server: `unix:${server.socketPath}`, token: 'own', ephemeral: true, earlier: ['old'] };
  writeFileSync(file, JSON.stringify(credential), { mode: 0o600 });
  return file;
};

describe('a runner that takes one task', () => {
  it('accepts one of two jobs, drains, and exits with 0 when log and result are acknowledged', async () => {
    const { harness, server } = await setUp();
    const runner = await harness.startRunner({ ...ONCE, SIGNALBOX_RUNNER_SLOTS: '5' });
    expect(await server.message('hello')).toMatchObject({ slots: 1 });
    server.reactions.acknowledgeEnd = false;
    for (const id of [1, 2]) server.sendJob(harness.job(id));
    const { task_id } = await server.message('accepted');
    await server.message('heartbeat', ({ draining }) => draining === true);
    await server.message('ended');
    server.sendJob(harness.job(3));
    await server.until(() => server.messages.filter(({ type }) => type === 'heartbeat').length > 2, 'more heartbeats');
    expect(server.messages.filter(({ type }) => type === 'accepted')).toHaveLength(1);
    server.send({ type: 'acknowledged', task_id, epoch: 1 });
    expect(await runner.exited).toBe(0);
    expect(harness.runFolders).toEqual([]);
  });

  it('continues the task of a killed process, and takes no other', async () => {
    const { harness, server } = await setUp();
    server.reactions.start = false;
    const killed = await harness.startRunner(ONCE);
    await server.message('hello');
    server.sendJob(harness.job(1));
    await server.message('accepted');
    killed.kill('SIGKILL');
    await killed.exited;
    server.reactions.start = true;
    const runner = await harness.startRunner(ONCE);
    await server.message('hello', ({ draining, runs }) => draining === true && runs.length === 1);
    server.sendJob(harness.job(2));
    expect(await runner.exited).toBe(0);
    expect(server.runs.get('1-1')?.ended).toBeDefined();
    expect(server.messages.filter((one) => one.type === 'accepted').map((one) => one.task_id)).not.toContain(2);
  });

  it('deletes its credential when it has ended, if it is ephemeral', async () => {
    const { harness, server } = await setUp();
    const file = register(harness);
    const runner = await harness.startRunner(REGISTERED);
    expect(await server.message('hello')).toMatchObject({ slots: 1 });
    server.sendJob(harness.job(1));
    expect(await runner.exited).toBe(0);
    expect(server.runs.get('1-1')?.ended).toBeDefined();
    expect(existsSync(file)).toBe(false);
  });

  it('ends with 4 and deletes its credential, if the server has deleted it before the end was acknowledged', async () => {
    const { harness, server } = await setUp();
    const file = register(harness);
    const runner = await harness.startRunner(REGISTERED);
    await server.message('hello');
    server.reactions.acknowledgeEnd = false;
    server.sendJob(harness.job(1));
    await server.message('ended');
    server.isRefusing = true;
    server.cut();
    expect(await runner.exited).toBe(4);
    expect(runner.stderr()).toContain('The server refuses the token of this runner');
    expect(server.refusals).toBe(6);
    expect(existsSync(file)).toBe(false);
    expect(harness.runFolders).toEqual(['1-1']);
  }, 60_000);

  it('continues a running task while the server refuses it, and connects again', async () => {
    const { harness, server } = await setUp();
    const gate = join(harness.folder, 'gate');
    const wait = `    - command: sh -c 'until test -e ${gate}; do sleep 0.1; done'\n`;
    harness.write({ 'site.yml': `- hosts: localhost\n  gather_facts: false\n  tasks:\n${wait}` });
    const runner = await harness.startRunner(ONCE);
    await server.message('hello');
    server.sendJob(harness.job(1));
    await server.message('started');
    server.isRefusing = true;
    server.cut();
    await server.until(() => server.refusals > 3, 'more refusals than end an idle runner');
    server.isRefusing = false;
    writeFileSync(gate, '');
    expect(await runner.exited).toBe(0);
    expect(server.runs.get('1-1')?.ended).toMatchObject({ result: 'success' });
  }, 60_000);
});
