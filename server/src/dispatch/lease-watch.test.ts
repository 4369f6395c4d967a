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
    const { base, templateId } = await sampleProject(client);
    const runner = await connectRunner(server, place.folder);
    runner.hello();
    await runner.hears('welcome');
    const { id } = (await client.post(`${base}/tasks`, { template_id: templateId })).json<{ id: number }>();
    const { order } = await runner.hears('order');
    const run = { task_id: id, epoch: order.epoch };
    runner.say({ type: 'accepted', ...run });
    await runner.hears('go');
    runner.say({ type: 'started', ...run });
    const task = async () => (await client.get(`${base}/tasks/${id}`)).json<Record<string, string | null>>();
    await expect.poll(async () => (await task()).status).toBe('running');
    const isConnected = () => server.dispatching.hub.runners().length > 0;
    const ended: string[] = [];
    const watch = new LeaseWatch({
      database: server.storage.database,
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
    return { place, clock, server, client, base, task, watch, ended, leave, run };
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
    const { clock, watch, ended, leave, server } = await open();
    await watch.look();
    await leave();
    const { database } = server.storage;
    const broken = new LeaseWatch({
      database: { read: { selectFrom: () => { throw new Error('away'); } } } as never,
      clock,
      lostAfterMs: MINUTE_MS,
      isConnected: () => false,
      onRoom: () => undefined,
      onError: () => undefined,
      recorder: {} as never,
    });
    await expect(broken.look()).rejects.toThrow('away');
    expect(database).toBeDefined();
    clock.pass(9 * MINUTE_MS);
    await watch.look();
    expect(ended).toEqual([]);
  });
});
