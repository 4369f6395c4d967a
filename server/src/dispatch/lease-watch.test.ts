import { expect, it } from 'vitest';
import { describeOneDatabase } from '../testing/databases.ts';
import { watchFor } from '../testing/lease-looks.ts';
import { sampleProject } from '../testing/sample-project.ts';
import { connectRunner } from '../testing/scripted-runner.ts';
import { TestClock } from '../testing/test-clock.ts';
import { startTestServer } from '../testing/test-server.ts';
import { LeaseWatch } from './lease-watch.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

describeOneDatabase('a runner that falls silent', (makePlace) => {
  const open = async () => {
    const place = await makePlace();
    const clock = new TestClock('2026-11-21T12:00:00.000Z');
    const server = await startTestServer(place, {}, clock);
    const client = await server.signIn();
    const { base, template } = await sampleProject(client);
    const runner = await connectRunner(server, place.folder);
    runner.hello();
    await runner.hears('welcome');
    const { id } = (await client.post(`${base}/tasks`, { template_id: await template() })).json<{ id: number }>();
    const { order } = await runner.hears('order');
    const run = { task_id: id, epoch: order.epoch };
    runner.say({ type: 'accepted', ...run });
    await runner.hears('go');
    runner.say({ type: 'started', ...run });
    const task = async () => (await client.get(`${base}/tasks/${id}`)).json<Record<string, string | null>>();
    await expect.poll(async () => (await task()).status).toBe('running');
    const isConnected = () => server.dispatching.hub.runners().length > 0;
    const ended: string[] = [];
    const reasons: unknown[] = [];
    const faults: string[] = [];
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
      onRoom: () => undefined,
      onError: (error) => faults.push(String(error)),
      recorder: {
        end: async (...facts: unknown[]) => {
          if (state.isFull) throw new Error('The disk is full.');
          // Nobody ends the task here, so that each further look does it again.
          if (ended.includes(String(facts[4]))) return;
          ended.push(String(facts[4]));
          reasons.push(facts[5]);
        },
      } as never,
    });
    const leave = async () => {
      const gone = runner.closed;
      runner.close();
      await gone;
      await expect.poll(isConnected).toBe(false);
    };
    const watchOn = (milliseconds: number) => watchFor(watch, clock, milliseconds);
    return {
      place,
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
      faults,
      leave,
      run,
      state,
    };
  };

  it('[R11] is shown as unreachable since when it was last heard, and no more once it is back', async () => {
    const { place, server, task, watch, watchOn, leave, run } = await open();
    await watch.look();
    // Its link does not tell at once that nobody is there any more.
    await watchOn(10_000);
    await leave();
    await watch.look();
    expect((await task()).runner_unreachable_since).toBeNull();
    await watchOn(MINUTE_MS);
    expect((await task()).runner_unreachable_since).toBe('2026-11-21T12:00:00.000Z');
    await watchOn(MINUTE_MS);
    expect((await task()).runner_unreachable_since).toBe('2026-11-21T12:00:00.000Z');
    const again = await connectRunner(server, place.folder);
    again.hello([{ ...run, state: 'playing' }]);
    await again.hears('resume');
    await watch.look();
    expect((await task()).runner_unreachable_since).toBeNull();
  });

  it('[R3] [R16] loses its runs after the time that is set, whatever the clock on the wall does meanwhile', async () => {
    const { clock, watch, watchOn, ended, reasons, leave } = await open();
    await watch.look();
    await leave();
    for (const step of [2 * HOUR_MS, -2 * HOUR_MS, -2 * HOUR_MS]) {
      clock.step(step);
      await watchOn(3 * MINUTE_MS);
      expect(ended).toEqual([]);
    }
    await watchOn(2 * MINUTE_MS);
    expect(ended).toEqual([
      'The runner fell silent for 10 minutes: how the playbook ended is not known. It was not started again.',
    ]);
    expect(reasons).toEqual([{ code: 'runner.silent', params: { runner: expect.stringMatching(/./) } }]);
  });

  it('[R9] is not blamed for the time in which the database was away', async () => {
    const { watch, watchOn, ended, leave, state } = await open();
    await watch.look();
    await leave();
    await watchOn(9 * MINUTE_MS);
    state.isAway = true;
    await expect(watch.look()).rejects.toThrow('away');
    state.isAway = false;
    await watch.look();
    await watchOn(9 * MINUTE_MS);
    expect(ended).toEqual([]);
    await watchOn(2 * MINUTE_MS);
    expect(ended).toHaveLength(1);
  });

  it('[R3] is not blamed for an hour without work that went before', async () => {
    const { server, client, base, template, runner, clock, watch, watchOn, ended, leave, run } = await open();
    await watch.look();
    runner.say({ type: 'ended', ...run, result: 'success', reason: 'finished', lines: 0 });
    await runner.hears('settled');
    clock.pass(HOUR_MS);
    await watch.look();
    const { id } = (await client.post(`${base}/tasks`, { template_id: await template() })).json<{ id: number }>();
    const { order } = await runner.hears('order');
    runner.say({ type: 'accepted', task_id: id, epoch: order.epoch });
    await runner.hears('go');
    await leave();
    await watchOn(MINUTE_MS);
    expect(ended).toEqual([]);
    expect(server.dispatching.hub.runners()).toEqual([]);
    await watchOn(10 * MINUTE_MS);
    expect(ended).toHaveLength(1);
  });

  it('[R3] is not blamed for the time in which the server itself was held', async () => {
    const { clock, watch, ended, leave } = await open();
    await watch.look();
    await leave();
    clock.pass(HOUR_MS);
    await watch.look();
    expect(ended).toEqual([]);
  });

  it('[R11] loses a run at once that was to be stopped by force, as soon as it counts as unreachable', async () => {
    const { client, base, run, watch, watchOn, ended, reasons, leave, task } = await open();
    await watch.look();
    await leave();
    await client.post(`${base}/tasks/${run.task_id}/stop`, { force: true });
    expect((await task()).status).toBe('stopping');
    await watchOn(10_000);
    expect(ended).toEqual([]);
    await watchOn(5_000);
    expect(ended).toEqual(['Stopped by force while its runner could not be reached.']);
    expect(reasons).toEqual([{ code: 'stop.unreachable', params: { user: 'admin' } }]);
  });

  it('[R3] loses its runs also when that could not be written down the first time', async () => {
    const { watch, watchOn, ended, faults, leave, state } = await open();
    await watch.look();
    await leave();
    state.isFull = true;
    await watchOn(11 * MINUTE_MS);
    expect(ended).toEqual([]);
    expect(faults).toContain('Error: The disk is full.');
    state.isFull = false;
    await watch.look();
    expect(ended).toHaveLength(1);
  });
});
