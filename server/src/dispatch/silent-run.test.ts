import { expect, it } from 'vitest';
import { describeOneDatabase } from '../testing/databases.ts';
import { watchFor } from '../testing/lease-looks.ts';
import { sampleProject } from '../testing/sample-project.ts';
import { connectRunner } from '../testing/scripted-runner.ts';
import { TestClock } from '../testing/test-clock.ts';
import { startTestServer } from '../testing/test-server.ts';
import { LeaseWatch, type LeaseWatchNeeds } from './lease-watch.ts';

const MINUTE = 60_000;
const LOST_AFTER_MS = 10 * MINUTE;

describeOneDatabase('a run that says nothing', (makePlace) => {
  it('goes on for as long as its runner lives, and is lost only with it', async () => {
    const place = await makePlace();
    const server = await startTestServer(place);
    const client = await server.signIn();
    const sample = await sampleProject(client);
    const runner = await connectRunner(server, place.folder);
    runner.hello();
    await client.post(`${sample.base}/tasks`, { template_id: await sample.template() });
    const { order } = await runner.hears('order');
    const run = { task_id: order.task_id, epoch: order.epoch };
    runner.say({ type: 'accepted', ...run });
    await runner.hears('go');
    const clock = new TestClock('2026-11-21T10:00:00.000Z');
    const lost = new Set<number>();
    let isConnected = true;
    const watch = new LeaseWatch({
      database: server.storage.database,
      clock,
      recorder: {
        end: (_project: number, task: number) => {
          lost.add(task);
          return Promise.resolve();
        },
      } as unknown as LeaseWatchNeeds['recorder'],
      lostAfterMs: LOST_AFTER_MS,
      isConnected: () => isConnected,
      onRoom: () => undefined,
      onError: (error) => expect(error).toBeUndefined(),
    });
    // An hour of which not one line and not one result tells.
    await watchFor(watch, clock, 60 * MINUTE);
    expect(lost).toEqual(new Set());
    isConnected = false;
    await watchFor(watch, clock, LOST_AFTER_MS - MINUTE);
    expect(lost).toEqual(new Set());
    await watchFor(watch, clock, 2 * MINUTE);
    expect(lost).toEqual(new Set([order.task_id]));
    runner.close();
  });
});
