import { expect, it } from 'vitest';
import { randomFor } from '../../../../testing/sample.ts';
import { describeEachDatabase, type MakeLocation } from '../../testing/database/databases.ts';
import { type Given, newQueue } from '../../testing/database/queue.ts';
import { claimTasks, OLDEST_EVERY } from './claim.ts';
import { MAX_WEIGHT, poolOf } from './project-turn.ts';
import { queuePositions } from './queue-positions.ts';

/** Projects whose tasks wait, and a runner that runs one task at a time. */
const waitingProjects = async (makeLocation: MakeLocation, limits: readonly number[]) => {
  const queue = await newQueue(makeLocation);
  const { database, runner, project, template, task, end } = queue;
  const projects = await Promise.all(
    limits.map(async (limit) => {
      const one = await project(limit);
      return { one, parallel: await template(one, true) };
    }),
  );
  /** Lets tasks of a project wait, and returns their ids. */
  const wait = async (index: number, tasks: number, given: Given = {}): Promise<number[]> => {
    const { one, parallel } = projects[index] as (typeof projects)[0];
    const ids = [];
    for (let n = 0; n < tasks; n++) ids.push(await task(one, parallel, given));
    return ids;
  };
  const one = await runner('a', 1);
  /** Runs the next tasks one after the other. Returns the ids of the tasks and the indexes of their projects. */
  const run = async (tasks: number) => {
    const ids: number[] = [];
    const order: number[] = [];
    for (let n = 0; n < tasks; n++)
      for (const { id, project_id } of await claimTasks(database, { ...one, systemLimit: 0 })) {
        await end(id);
        ids.push(id);
        order.push(projects.findIndex((of) => of.one.id === project_id));
      }
    return { ids, order };
  };
  return { ...queue, wait, run };
};

/** Id of the runner, from which the claim counts. */
const FIRST_RUNNER = 1;

const count = (order: readonly number[], index: number) => order.filter((one) => one === index).length;

describeEachDatabase('the turn of a project', (makeLocation) => {
  it('lets a project with one task start soon, although another project has many that are older', async () => {
    const { wait, run } = await waitingProjects(makeLocation, [1, 1]);
    await wait(0, 30);
    expect((await run(5)).order).toEqual([0, 0, 0, 0, 0]);
    await wait(1, 1);
    expect((await run(2)).order).toContain(1);
  });

  it('shares the starts in proportion to the limits of the projects', async () => {
    const { wait, run } = await waitingProjects(makeLocation, [10_000, 1, 2]);
    for (const index of [0, 1, 2]) await wait(index, 60);
    // One of eight tasks is the oldest one, which the project without a limit has.
    const shared = (await run(60)).order.filter((_, n) => (FIRST_RUNNER + n) % OLDEST_EVERY !== OLDEST_EVERY - 1);
    expect(shared).toHaveLength(53);
    for (const [index, weight] of [MAX_WEIGHT, 1, 2].entries())
      expect(Math.abs(count(shared, index) - (shared.length * weight) / 13)).toBeLessThan(3);
    expect(count(shared, 2)).toBeGreaterThan(1.5 * count(shared, 1));
  });

  it('gives a project that was idle no starts that it missed', async () => {
    const { wait, run } = await waitingProjects(makeLocation, [1, 1]);
    await wait(0, 40);
    await wait(1, 1);
    await run(21);
    await wait(1, 20);
    const { order } = await run(12);
    expect(count(order, 0)).toBeGreaterThanOrEqual(5);
    expect(count(order, 1)).toBeGreaterThanOrEqual(4);
  });

  it('counts within a priority: a task with a higher one starts first', async () => {
    const { wait, run } = await waitingProjects(makeLocation, [1, 1]);
    await wait(0, 5);
    const urgent = await wait(1, 3, { priority: 5 });
    expect((await run(3)).ids).toEqual(urgent);
  });

  it('decides the positions that waiting tasks show', async () => {
    const { wait, run, database } = await waitingProjects(makeLocation, [1, 1]);
    const ids = [...(await wait(0, 6)), ...(await wait(1, 2)), ...(await wait(1, 1, { priority: 1 }))];
    const positions = await queuePositions(database.read, {
      app: 'ansible',
      runner_tags: '[]',
      pool: poolOf({ id: FIRST_RUNNER, tags: [], isLimited: false }),
    });
    const shown = ids.toSorted((a, b) => (positions.get(a) ?? 0) - (positions.get(b) ?? 0));
    expect((await run(6)).ids).toEqual(shown.slice(0, 6));
  });

  it('leaves no task waiting for ever: one of eight tasks that start is the oldest one', async () => {
    const { wait, run } = await waitingProjects(makeLocation, [0, 0]);
    const [low] = await wait(0, 1, { priority: -10 });
    for (let n = 0; n < OLDEST_EVERY; n++) {
      await wait(1, 2, { priority: 10 });
      if ((await run(1)).ids[0] === low) return;
    }
    expect.unreachable('The task with the low priority never started.');
  });

  it('keeps a bound for every waiting task in random queues', async () => {
    const { wait, run, database } = await waitingProjects(makeLocation, [0, 1, 3, 0]);
    const random = randomFor('the turn of a project');
    const upTo = (count: number) => Math.floor(random() * count);
    // Before a task, at most `OLDEST_EVERY` tasks start for it and for each older one.
    const bound = new Map<number, number>();
    let started = 0;
    for (let step = 0; step < 60; step++) {
      const waiting = bound.size;
      const tasks = upTo(3);
      const priority = upTo(21) - 10;
      for (const id of await wait(upTo(4), tasks, { priority }))
        bound.set(id, started + OLDEST_EVERY * (waiting + tasks + 1));
      for (const id of (await run(1)).ids) {
        started += 1;
        expect(started).toBeLessThanOrEqual(bound.get(id) ?? 0);
        bound.delete(id);
      }
    }
    const left = await database.read.selectFrom('task').select('id').where('status', '=', 'waiting').execute();
    expect(new Set(left.map(({ id }) => id))).toEqual(new Set(bound.keys()));
  });
});
