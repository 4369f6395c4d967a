import { expect, it } from 'vitest';
import { describeEachDatabase } from '../testing/databases.ts';
import { sampleProject } from '../testing/sample-project.ts';
import { connectRunner } from '../testing/scripted-runner.ts';
import { TestClock } from '../testing/test-clock.ts';
import { startTestServer } from '../testing/test-server.ts';
import { LeaseWatch } from './lease-watch.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

describeEachDatabase('a runner that falls silent', (makePlace) => {
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
    const state = { isAway: false };
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
      onError: () => undefined,
      recorder: { end: async (...facts: unknown[]) => void ended.push(String(facts[4])) } as never,
    });
    const leave = async () => {
      const gone = runner.closed;
      runner.close();
      await gone;
      await expect.poll(isConnected).toBe(false);
    };
    return { place, clock, server, task, watch, ended, leave, run, state };
  };

  it('[R11] is shown as unreachable since when it was last heard, and no more once it is back', async () => {
    const { place, clock, server, task, watch, leave, run } = await open();
    await watch.look();
    await leave();
    await watch.look();
    expect((await task()).runner_unreachable_since).toBeNull();
    clock.pass(MINUTE_MS);
    await watch.look();
    expect((await task()).runner_unreachable_since).toBe('2026-11-21T12:00:00.000Z');
    clock.pass(MINUTE_MS);
    await watch.look();
    expect((await task()).runner_unreachable_since).toBe('2026-11-21T12:00:00.000Z');
    const again = await connectRunner(server, place.folder);
    again.hello([{ ...run, state: 'playing' }]);
    await again.hears('resume');
    await watch.look();
    expect((await task()).runner_unreachable_since).toBeNull();
  });

  it('[R3] [R16] loses its runs after the time that is set, whatever the clock on the wall does meanwhile', async () => {
    const { clock, watch, ended, leave } = await open();
    await watch.look();
    await leave();
    for (const step of [2 * HOUR_MS, -2 * HOUR_MS, -2 * HOUR_MS]) {
      clock.step(step);
      clock.pass(3 * MINUTE_MS);
      await watch.look();
      expect(ended).toEqual([]);
    }
    clock.pass(2 * MINUTE_MS);
    await watch.look();
    expect(ended).toEqual([
      'The runner fell silent for 10 minutes: how the playbook ended is not known. It was not started again.',
    ]);
  });

  it('[R9] is not blamed for the time in which the database was away', async () => {
    const { clock, watch, ended, leave, state } = await open();
    await watch.look();
    await leave();
    clock.pass(9 * MINUTE_MS);
    state.isAway = true;
    await expect(watch.look()).rejects.toThrow('away');
    state.isAway = false;
    await watch.look();
    clock.pass(9 * MINUTE_MS);
    await watch.look();
    expect(ended).toEqual([]);
    clock.pass(2 * MINUTE_MS);
    await watch.look();
    expect(ended).toHaveLength(1);
  });
});
