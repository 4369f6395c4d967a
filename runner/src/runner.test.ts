import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { markedProcesses } from './process/process-table.ts';
import { openCounting, openHarness, playToTheWait, release } from './testing/playbooks.testing.ts';
import type { RunnerHarness } from './testing/runner-harness.testing.ts';

let harness: RunnerHarness;
afterEach(() => harness.close());

describe('the runner', () => {
  it('refuses a folder that another runner uses, with one message', async () => {
    harness = await openHarness();
    const { server } = harness;
    const first = await harness.startRunner();
    await server.message('hello');
    const second = await harness.startRunner();
    expect(await second.exited).toBe(3);
    expect(second.stderr()).toBe(
      `Another runner (pid ${first.pid}) already works in ${harness.data}; give this one a folder of its own.\n`,
    );
    first.kill('SIGKILL');
    await first.exited;
    const third = await harness.startRunner();
    await server.message('hello', (m) => m.pid === third.pid);
  });

  it('reports all errors of its configuration at once', async () => {
    harness = await openHarness();
    const runner = await harness.startRunner({
      SIGNALBOX_SERVER: 'ftp://x',
      SIGNALBOX_RUNNER_SLOTS: '0',
      SIGNALBOX_RUNNER_LOCAL: 'yes',
    });
    expect(await runner.exited).toBe(2);
    expect(runner.stderr()).toMatch(
      /SIGNALBOX_SERVER must.*\n.*SIGNALBOX_RUNNER_SLOTS must.*\n.*SIGNALBOX_RUNNER_LOCAL must/,
    );
  });

  it('ignores unknown messages, and logs them without their values', async () => {
    harness = await openHarness();
    const { server } = harness;
    const runner = await harness.startRunner();
    await server.message('hello');
    server.sendRaw('no json');
    server.sendRaw(JSON.stringify({ type: 'job', job: { task_id: 'hidden-value' } }));
    server.send({
      type: 'query',
      query_id: 5,
      lease_ms: 30_000,
      query: {
        ask: 'branches',
        repository: { id: 1, url: harness.repository, branch: '', access: { type: 'none' } },
      },
    });
    expect(await server.message('answer')).toEqual({
      type: 'answer',
      query_id: 5,
      answer: { ask: 'branches', branches: [] },
    });
    await expect.poll(runner.stderr).toContain('not understood');
    expect(runner.stderr()).not.toContain('hidden-value');
  });

  it('[R12] drains: its run ends, no new run starts, and the runner exits with 0', async () => {
    harness = await openCounting();
    const { server } = harness;
    const { runner, run } = await playToTheWait(harness);
    runner.kill('SIGTERM');
    await server.until(() => runner.stderr().includes('accepts no more jobs'), 'the draining');
    server.sendJob(harness.job(2));
    await release(harness);
    expect(await runner.exited).toBe(0);
    expect(run.ended).toMatchObject({ result: 'success' });
    expect(server.messages.some((m) => m.type === 'accepted' && m.task_id === 2)).toBe(false);
    expect(existsSync(join(harness.data, 'lock'))).toBe(false);
  });

  it('[R12] stops its runs at the second signal', async () => {
    harness = await openCounting();
    const { server } = harness;
    const { runner, run } = await playToTheWait(harness);
    runner.kill('SIGTERM');
    await server.until(() => runner.stderr().includes('accepts no more jobs'), 'the draining');
    runner.kill('SIGTERM');
    expect(await runner.exited).toBe(0);
    expect(run.ended).toMatchObject({ result: 'stopped' });
  });

  it('logs that the server uses another protocol version, and drains', async () => {
    harness = await openHarness();
    const { server } = harness;
    server.protocol = 99;
    const runner = await harness.startRunner();
    expect(await runner.exited).toBe(0);
    expect(runner.stderr()).toContain('version 99');
  });

  it('ends 5 s after its local server if nothing runs', async () => {
    harness = await openHarness();
    const { server } = harness;
    const runner = await harness.startRunner({ SIGNALBOX_RUNNER_LOCAL: '1' });
    await server.message('hello');
    const before = performance.now();
    await server.close();
    expect(await runner.exited).toBe(0);
    expect(performance.now() - before).toBeGreaterThan(4_500);
    expect(performance.now() - before).toBeLessThan(20_000);
  });

  it('warns at start if tasks are not isolated from the runner, unless its server does', async () => {
    harness = await openHarness();
    const warned = 'Warning: tasks are executed as the user of this runner';
    const runner = await harness.startRunner();
    await harness.server.message('hello');
    expect(runner.stderr()).toContain(warned);
    runner.kill('SIGTERM');
    await runner.exited;
    const local = await harness.startRunner({ SIGNALBOX_RUNNER_LOCAL: '1' });
    await harness.server.message('hello', ({ pid }) => pid === local.pid);
    expect(local.stderr()).not.toContain(warned);
  });

  it('tries again with the next token if one cannot be used', async () => {
    harness = await openHarness();
    const token = join(harness.folder, 'token');
    writeFileSync(token, 'pasted\ntwice', { mode: 0o600 });
    const runner = await harness.startRunner();
    await expect.poll(runner.stderr).toContain('The link cannot be opened');
    writeFileSync(token, 'test-token', { mode: 0o600 });
    await harness.server.message('hello');
    expect(runner.stderr()).not.toContain('pasted');
  });

  it('leaves nothing of abandoned or killed runs', async () => {
    harness = await openHarness();
    mkdirSync(join(harness.data, 'runs', '7-1.gone'), { recursive: true });
    mkdirSync(join(harness.data, 'runs', '8-1'), { recursive: true });
    await harness.startRunner();
    await harness.server.message('hello');
    expect(harness.runFolders).toEqual([]);
    expect(await markedProcesses('7-1')).toEqual([]);
  });
});
