import { expect, it } from 'vitest';
import { describeOneDatabase } from '../../testing/database/databases.ts';
import { watchFor } from '../../testing/runners/lease-polls.ts';
import { connectRunner } from '../../testing/runners/scripted-runner.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { TestClock } from '../../testing/test-clock.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { LeaseWatch } from './lease-watch.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

describeOneDatabase('a runner that falls silent', (makeLocation) => {
  const open = async () => {
    const location = await makeLocation();
    const clock = new TestClock('2026-11-21T12:00:00.000Z');
    const server = await startTestServer(location, {}, clock);
    const client = await server.signIn();
    const { base, template } = await sampleProject(client);
    const runner = await connectRunner(server, location.folder);
    runner.hello();
    await runner.receives('welcome');
    const { id } = (await client.post(`${base}/tasks`, { template_id: await template() })).json<{ id: number }>();
    const { job } = await runner.receives('job');
    const run = { task_id: id, epoch: job.epoch };
    runner.send({ type: 'accepted', ...run });
    await runner.receives('start');
    runner.send({ type: 'started', ...run });
    const task = async () => (await client.get(`${base}/tasks/${id}`)).json<Record<string, string | null>>();
    await expect.poll(async () => (await task()).status).toBe('running');
    const isConnected = () => server.dispatching.hub.runners().length > 0;
    const ended: string[] = [];
    const reasons: unknown[] = [];
    const errors: string[] = [];
    const state = { isAway: false, isFull: false };
    const { database } = server.storage;
    const read = () => {
      if (state.isAway) throw new Error('The database is away.');
      return database.read;
    };
    const watch = new LeaseWatch({
      database: Object.create(database, { read: { get: read } }) as typeof database,
      clock,
      lostAfterMs: 10 * MINUTE_MS,
      isConnected,
      onCapacity: () => undefined,
      onError: (error) => errors.push(String(error)),
      recorder: {
        end: async (...input: unknown[]) => {
          if (state.isFull) throw new Error('The disk is full.');
          // The tasks do not end, so each further check reports them again.
          if (ended.includes(String(input[4]))) return;
          ended.push(String(input[4]));
          reasons.push(input[5]);
        },
      } as never,
    });
    const leave = async () => {
      const deleted = runner.closed;
      runner.close();
      await deleted;
      await expect.poll(isConnected).toBe(false);
    };
    const watchOn = (milliseconds: number) => watchFor(watch, clock, milliseconds);
    return {
      location,
      clock,
      server,
      client,
      base,
      template,
      runner,
      task,
      watch,
      watchOn,
      ended,
      reasons,
      errors,
      leave,
      run,
      state,
    };
  };

  it('[R11] is shown as unreachable since its last heartbeat, until it is back', async () => {
    const { location, server, task, watch, watchOn, leave, run } = await open();
    await watch.check();
    // The link does not show at once that its runner has died.
    await watchOn(10_000);
    await leave();
    await watch.check();
    expect((await task()).runner_unreachable_since).toBeNull();
    await watchOn(MINUTE_MS);
    expect((await task()).runner_unreachable_since).toBe('2026-11-21T12:00:00.000Z');
    await watchOn(MINUTE_MS);
    expect((await task()).runner_unreachable_since).toBe('2026-11-21T12:00:00.000Z');
    const again = await connectRunner(server, location.folder);
    again.hello([{ ...run, state: 'playing' }]);
    await again.receives('resume');
    await watch.check();
    expect((await task()).runner_unreachable_since).toBeNull();
  });

  it('[R3] [R16] loses its runs after the configured time, whatever the wall clock does', async () => {
    const { clock, watch, watchOn, ended, reasons, leave } = await open();
    await watch.check();
    await leave();
    for (const step of [2 * HOUR_MS, -2 * HOUR_MS, -2 * HOUR_MS]) {
      clock.step(step);
      await watchOn(3 * MINUTE_MS);
      expect(ended).toEqual([]);
    }
    await watchOn(2 * MINUTE_MS);
    expect(ended).toEqual([
      'The runner was silent for 10 minutes, so the result of the playbook is unknown. It was not started again.',
    ]);
    expect(reasons).toEqual([{ code: 'runner.silent', params: { runner: expect.stringMatching(/./) } }]);
  });

  it('[R9] is not held responsible for the time in which the database was unavailable', async () => {
    const { watch, watchOn, ended, leave, state } = await open();
    await watch.check();
    await leave();
    await watchOn(9 * MINUTE_MS);
    state.isAway = true;
    await expect(watch.check()).rejects.toThrow('away');
    state.isAway = false;
    await watch.check();
    await watchOn(9 * MINUTE_MS);
    expect(ended).toEqual([]);
    await watchOn(2 * MINUTE_MS);
    expect(ended).toHaveLength(1);
  });

  it('[R3] is not held responsible for an hour without work before', async () => {
    const { server, client, base, template, runner, clock, watch, watchOn, ended, leave, run } = await open();
    await watch.check();
    runner.send({ type: 'ended', ...run, result: 'success', reason: 'finished', lines: 0 });
    await runner.receives('acknowledged');
    clock.pass(HOUR_MS);
    await watch.check();
    const { id } = (await client.post(`${base}/tasks`, { template_id: await template() })).json<{ id: number }>();
    const { job } = await runner.receives('job');
    runner.send({ type: 'accepted', task_id: id, epoch: job.epoch });
    await runner.receives('start');
    await leave();
    await watchOn(MINUTE_MS);
    expect(ended).toEqual([]);
    expect(server.dispatching.hub.runners()).toEqual([]);
    await watchOn(10 * MINUTE_MS);
    expect(ended).toHaveLength(1);
  });

  it('[R3] is not held responsible for the time in which the server was suspended', async () => {
    const { clock, watch, ended, leave } = await open();
    await watch.check();
    await leave();
    clock.pass(HOUR_MS);
    await watch.check();
    expect(ended).toEqual([]);
  });

  it('[R11] loses a run that is to be stopped by force as soon as it counts as unreachable', async () => {
    const { client, base, run, watch, watchOn, ended, reasons, leave, task } = await open();
    await watch.check();
    await leave();
    await client.post(`${base}/tasks/${run.task_id}/stop`, { force: true });
    expect((await task()).status).toBe('stopping');
    await watchOn(10_000);
    expect(ended).toEqual([]);
    await watchOn(5_000);
    expect(ended).toEqual(['Stopped by force while its runner could not be reached.']);
    expect(reasons).toEqual([{ code: 'stop.unreachable', params: { user: 'admin' } }]);
  });

  it('[R3] loses its runs even if storing that failed the first time', async () => {
    const { watch, watchOn, ended, errors, leave, state } = await open();
    await watch.check();
    await leave();
    state.isFull = true;
    await watchOn(11 * MINUTE_MS);
    expect(ended).toEqual([]);
    expect(errors).toContain('Error: The disk is full.');
    state.isFull = false;
    await watch.check();
    expect(ended).toHaveLength(1);
  });
});
