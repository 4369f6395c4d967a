import { expect, it } from 'vitest';
import { describeOneDatabase } from '../../testing/database/databases.ts';
import { watchFor } from '../../testing/runners/lease-polls.ts';
import { connectRunner } from '../../testing/runners/scripted-runner.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { TestClock } from '../../testing/test-clock.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { LeaseWatch, type LeaseWatchDeps } from './lease-watch.ts';

const MINUTE = 60_000;
const LOST_AFTER_MS = 10 * MINUTE;

describeOneDatabase('a run without output', (makeLocation) => {
  it('continues as long as its runner lives, and is lost only with the runner', async () => {
    const location = await makeLocation();
    const server = await startTestServer(location);
    const client = await server.signIn();
    const sample = await sampleProject(client);
    const runner = await connectRunner(server, location.folder);
    runner.hello();
    await client.post(`${sample.base}/tasks`, { template_id: await sample.template() });
    const { job } = await runner.receives('job');
    const run = { task_id: job.task_id, epoch: job.epoch };
    runner.send({ type: 'accepted', ...run });
    await runner.receives('start');
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
      } as unknown as LeaseWatchDeps['recorder'],
      lostAfterMs: LOST_AFTER_MS,
      isConnected: () => isConnected,
      onCapacity: () => undefined,
      onError: (error) => expect(error).toBeUndefined(),
    });
    // An hour without a line or a result.
    await watchFor(watch, clock, 60 * MINUTE);
    expect(lost).toEqual(new Set());
    isConnected = false;
    await watchFor(watch, clock, LOST_AFTER_MS - MINUTE);
    expect(lost).toEqual(new Set());
    await watchFor(watch, clock, 2 * MINUTE);
    expect(lost).toEqual(new Set([job.task_id]));
    runner.close();
  });
});
