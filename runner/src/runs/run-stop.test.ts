import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { expectAtBest, timeOf } from '../testing/best-time.testing.ts';
import { openCounting, openHarness, playToTheWait } from '../testing/playbooks.testing.ts';
import type { RunnerHarness } from '../testing/runner-harness.testing.ts';

let harness: RunnerHarness;
afterEach(() => harness.close());

describe('stopping a run', () => {
  it('ends a playbook with all processes that it started', async () => {
    harness = await openCounting();
    const { server } = harness;
    const { run } = await playToTheWait(harness);
    server.send({ type: 'stop', task_id: 1, epoch: 1, force: false });
    const ended = await server.until(() => run.ended, 'the end');
    expect(ended).toMatchObject({ result: 'stopped', reason: 'stopped' });
    expect(run.lines.at(-1)).toBe('The task was stopped.');
  });

  it('ends a playbook within two seconds with force', async () => {
    await expectAtBest(2_000, async () => {
      harness = await openCounting();
      const { server } = harness;
      const { run } = await playToTheWait(harness);
      const took = await timeOf(() => {
        server.send({ type: 'stop', task_id: 1, epoch: 1, force: true });
        return server.until(() => run.ended, 'the end');
      });
      expect(run.ended).toMatchObject({ result: 'stopped' });
      await harness.close();
      return took;
    });
  });

  it('ends a preparation at once', async () => {
    harness = await openHarness();
    const { server } = harness;
    await harness.startRunner();
    await server.message('hello');
    // A server that accepts the connection and never answers.
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as { port: number };
    const run = server.sendJob(
      harness.job(1, {
        repository: { id: 1, url: `https://127.0.0.1:${port}/x.git`, branch: 'main', access: { type: 'none' } },
      }),
    );
    await server.until(() => run.lines.length > 0, 'the first line');
    // git alone would wait forever.
    server.send({ type: 'stop', task_id: 1, epoch: 1, force: false });
    expect(await server.until(() => run.ended, 'the end')).toMatchObject({ result: 'stopped' });
    expect(run.started).toBe(0);
    silent.close();
  });

  it('also happens at the time limit of the template, during the playbook and during its preparation', async () => {
    harness = await openCounting();
    const { server } = harness;
    await harness.startRunner();
    await server.message('hello');
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as { port: number };
    const unreachable = {
      id: 1,
      url: `https://127.0.0.1:${port}/x.git`,
      branch: 'main',
      access: { type: 'none' },
    } as const;
    const playing = server.sendJob(harness.job(1, { max_duration: 3 }));
    const preparing = server.sendJob(harness.job(2, { max_duration: 1, repository: unreachable }));
    for (const run of [playing, preparing]) {
      const ended = await server.until(() => run.ended, 'the end', 20_000);
      expect(ended).toMatchObject({ result: 'error', reason: 'time_limit', end_reason: { code: 'time_limit' } });
      expect(run.lines.at(-1)).toBe('The time limit of the template was reached: the task was ended.');
    }
    expect(preparing.started).toBe(0);
    silent.close();
  });

  it('[R5] continues to count the time limit if the runner is restarted during a preparation', async () => {
    harness = await openHarness();
    const { server } = harness;
    const first = await harness.startRunner();
    await server.message('hello');
    const silent = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void silent.close());
    await once(silent, 'listening');
    const connected = once(silent, 'connection');
    const { port } = silent.address() as { port: number };
    const url = `https://127.0.0.1:${port}/x.git`;
    const repository = { id: 1, url, branch: 'main', access: { type: 'none' } } as const;
    const run = server.sendJob(harness.job(1, { max_duration: 3_600, repository }));
    await connected;
    first.kill('SIGKILL');
    await first.exited;
    // Simulates a preparation that started an hour ago.
    const startFile = join(harness.data, 'runs', '1-1', 'start.json');
    const moment = JSON.parse(readFileSync(startFile, 'utf8')) as { at: number };
    writeFileSync(startFile, JSON.stringify({ ...moment, at: moment.at - 3_600_000 }));
    await harness.startRunner();
    const ended = await server.until(() => run.ended, 'the end', 20_000);
    expect(ended).toMatchObject({ result: 'error', reason: 'time_limit', end_reason: { code: 'time_limit' } });
    expect(run.started).toBe(0);
  });

  it('ends an accepted run without starting it', async () => {
    harness = await openHarness();
    const { server } = harness;
    server.reactions.start = false;
    server.reactions.acknowledgeEnd = false;
    await harness.startRunner();
    await server.message('hello');
    const run = server.sendJob(harness.job(1));
    await server.message('accepted');
    server.send({ type: 'stop', task_id: 1, epoch: 1, force: false });
    // A job that was sent before the stop may arrive while the run is being ended.
    server.send({ type: 'start', task_id: 1, epoch: 1 });
    expect(await server.until(() => run.ended, 'the end')).toMatchObject({ result: 'stopped', lines: 1 });
    expect(existsSync(harness.inRun(1, 'start.json'))).toBe(false);
    server.send({ type: 'acknowledged', task_id: 1, epoch: 1 });
    await harness.emptied();
    expect(run.lines).toEqual(['The task was stopped.']);
  });

  it('kills and deletes an abandoned run at once', async () => {
    harness = await openCounting();
    const { server } = harness;
    const { run } = await playToTheWait(harness);
    server.send({ type: 'abandon', task_id: 1, epoch: 1 });
    await harness.emptied();
    expect(run.ended).toBeUndefined();
  });
});
