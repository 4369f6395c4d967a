import { isFinal, LIFECYCLE_EVENTS, type TaskStatus } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { describeEachDatabase } from '../../testing/database/databases.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { TestClock } from '../../testing/test-clock.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { nextStatus } from './task.lifecycle.ts';
import { applyEvent } from './task-transition.ts';

/** A small random generator whose seed a failing run prints. */
const random = (seed: number) => () => {
  seed = (seed * 1_664_525 + 1_013_904_223) % 4_294_967_296;
  return seed / 4_294_967_296;
};

describeEachDatabase('task transitions', (makeLocation) => {
  it('[R4] follow the lifecycle for any sequence of events', async () => {
    const { signIn, storage } = await startTestServer(await makeLocation());
    const client = await signIn();
    const sample = await sampleProject(client);
    const template = await sample.template({ allow_parallel_tasks: true });
    const db = storage.database.autocommit;
    // Later than the creation of the tasks.
    const base = Date.now() + 60_000;
    for (let seed = 1; seed <= 40; seed++) {
      const next = random(seed);
      const { id } = (await client.post(`${sample.base}/tasks`, { template_id: template })).json<{ id: number }>();
      let status: TaskStatus = 'waiting';
      let [start, end]: [string | null, string | null] = [null, null];
      for (let step = 0; step < 12; step++) {
        const event = LIFECYCLE_EVENTS[
          Math.floor(next() * LIFECYCLE_EVENTS.length)
        ] as (typeof LIFECYCLE_EVENTS)[number];
        const now = new Date(base + seed * 1e6 + step * 1000);
        const expected = nextStatus(status, event);
        const task = await applyEvent(db, id, event, now, 0);
        expect(task?.status ?? null, `seed ${seed}, step ${step}: ${event} in ${status}`).toBe(expected);
        if (expected === 'starting') start = now.toISOString();
        if (expected !== null && isFinal(expected)) end ??= now.toISOString();
        status = expected ?? status;
        const row = await db.selectFrom('task').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
        expect([row.status, row.start_time, row.end_time]).toEqual([status, start, end]);
        // An event of another lease changes nothing.
        expect(await applyEvent(db, id, event, now, 7)).toBeUndefined();
      }
    }
  });

  it('[R16] never end before they began, even if the clock is set back by two hours twice', async () => {
    const clock = new TestClock('2026-11-21T12:00:00.000Z');
    const { signIn, storage } = await startTestServer(await makeLocation(), {}, clock);
    const client = await signIn();
    const sample = await sampleProject(client);
    const body = { template_id: await sample.template() };
    const { id, created } = (await client.post(`${sample.base}/tasks`, body)).json<{ id: number; created: string }>();
    const db = storage.database.autocommit;
    clock.step(-7_200_000);
    expect((await applyEvent(db, id, 'accepted', clock.now(), 0))?.start_time).toBe(created);
    await applyEvent(db, id, 'started', clock.now(), 0);
    clock.step(-7_200_000);
    expect((await applyEvent(db, id, 'succeeded', clock.now(), 0))?.end_time).toBe(created);
  });

  it('let exactly one of two simultaneous events win', async () => {
    const { signIn, storage } = await startTestServer(await makeLocation());
    const client = await signIn();
    const sample = await sampleProject(client);
    const template = await sample.template({ allow_parallel_tasks: true });
    for (let n = 0; n < 10; n++) {
      const { id } = (await client.post(`${sample.base}/tasks`, { template_id: template })).json<{ id: number }>();
      const now = new Date();
      const results = await Promise.all([
        applyEvent(storage.database.autocommit, id, 'accepted', now, 0),
        applyEvent(storage.database.autocommit, id, 'accepted', now, 0),
      ]);
      expect(results.filter((result) => result !== undefined)).toHaveLength(1);
    }
  });
});
