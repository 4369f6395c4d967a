import { expect, it } from 'vitest';
import { randomFor } from '../../../../testing/sample.ts';
import { storeLocks } from '../../features/tasks/launch/task-locks.ts';
import { applyEvent } from '../../features/tasks/task-transition.ts';
import { describeEachDatabase, type MakeLocation } from '../../testing/database/databases.ts';
import { type Given, hostNames, NOW, newQueue, openQueue } from '../../testing/database/queue.ts';
import { claimTasks } from './claim.ts';
import { lockReasons } from './lock-reasons.ts';

interface Wanted extends Given {
  readonly locks: readonly string[];
  readonly dryRun?: boolean;
}

const queueWithLocks = async (makeLocation: MakeLocation) => {
  const queue = await newQueue(makeLocation);
  const { database, project, template, row } = queue;
  const of = await project(0);
  const parallel = await template(of, true);
  /** Lets a task with locks wait, in the template that runs many at once or in another one. */
  const wait = async ({ locks, dryRun = false, ...given }: Wanted, templateId = parallel): Promise<number> =>
    database.write(async (tx) => {
      const values = { ...row(of, templateId, given), dry_run: dryRun ? (1 as const) : (0 as const) };
      const columns = { ...values, locks: JSON.stringify(locks) };
      const task = await tx.insertInto('task').values(columns).returningAll().executeTakeFirstOrThrow();
      await storeLocks(tx, task, locks);
      return task.id;
    });
  const finish = async (id: number) => {
    await database.autocommit.updateTable('task').set({ status: 'running' }).where('id', '=', id).execute();
    await applyEvent(database.autocommit, id, 'succeeded', new Date(NOW));
  };
  const one = { ...(await queue.runner('a', 10)), systemLimit: 0 };
  const claim = async () => (await claimTasks(database, one)).map(({ id }) => id);
  return { ...queue, of, parallel, wait, finish, claim };
};

const NONE: ReadonlySet<number> = new Set();

const unknownEnd = () => Promise.resolve(null);

describeEachDatabase('locks', (makeLocation) => {
  it('let one task with a lock run at a time, and do not block others', async () => {
    const { of, parallel, template, wait, finish, claim, database } = await queueWithLocks(makeLocation);
    const first = await wait({ locks: ['db'] });
    const second = await wait({ locks: ['db', 'web'] }, await template(of));
    const free = [await wait({ locks: ['cache'] }), await wait({ locks: [] })];
    expect(await claim()).toEqual([first, ...free]);
    expect(await claim()).toEqual([]);
    const { name } = await database.read
      .selectFrom('template')
      .select('name')
      .where('id', '=', parallel)
      .executeTakeFirstOrThrow();
    expect(
      (await lockReasons({ db: database.read, hostNames, expectedEnd: unknownEnd }, [second], NONE)).get(second),
    ).toEqual({
      code: 'lock_held',
      params: { lock: 'db', id: first, template: name, since: '', expected_end: '' },
    });
    await finish(first);
    expect(await claim()).toEqual([second]);
    const stored = await database.read.selectFrom('task_lock').select('task_id').where('task_id', '=', first).execute();
    expect(stored).toEqual([]);
  });

  it('are shared by tasks in check mode, which exclude others', async () => {
    const { wait, finish, claim } = await queueWithLocks(makeLocation);
    const checks = [await wait({ locks: ['db'], dryRun: true }), await wait({ locks: ['db'], dryRun: true })];
    const run = await wait({ locks: ['db'] });
    const later = await wait({ locks: ['db'], dryRun: true });
    expect(await claim()).toEqual(checks);
    for (const id of checks) await finish(id);
    expect(await claim()).toEqual([run]);
    await finish(run);
    expect(await claim()).toEqual([later]);
  });

  it('are given in the order of the queue, so that a task with two locks starts', async () => {
    const { wait, finish, claim, database } = await queueWithLocks(makeLocation);
    const left = await wait({ locks: ['left'] });
    expect(await claim()).toEqual([left]);
    const both = await wait({ locks: ['left', 'right'] });
    const right = await wait({ locks: ['right'] });
    expect(await claim()).toEqual([]);
    expect(
      (await lockReasons({ db: database.read, hostNames, expectedEnd: unknownEnd }, [right], NONE)).get(right),
    ).toEqual({
      code: 'lock_ahead',
      params: { lock: 'right', id: both, template: expect.any(String) },
    });
    const urgent = await wait({ locks: ['right'], priority: 1 });
    expect(await claim()).toEqual([urgent]);
    await finish(urgent);
    await finish(left);
    expect(await claim()).toEqual([both]);
  });

  it('are kept for a task that another runner takes, and not for one that none takes', async () => {
    const { wait, finish, claim, runner, database } = await queueWithLocks(makeLocation);
    const left = await wait({ locks: ['left'] });
    const nowhere = await wait({ locks: ['right'], tags: ['absent'] });
    expect(await claim()).toEqual([left]);
    const both = await wait({ locks: ['left', 'right'], tags: ['zone'] });
    const right = await wait({ locks: ['right'] });
    const zone = { ...(await runner('zone', 1, ['zone'])), systemLimit: 0 };
    expect(await claim()).toEqual([]);
    await finish(left);
    expect(await claim()).toEqual([]);
    expect((await claimTasks(database, zone)).map(({ id }) => id)).toEqual([both]);
    await finish(both);
    expect(await claim()).toEqual([right]);
    expect(nowhere).toBeLessThan(both);
  });

  it('show no task of a hidden template', async () => {
    const { of, template, wait, claim, database } = await queueWithLocks(makeLocation);
    const secret = await template(of);
    await wait({ locks: ['db'] }, secret);
    const waiting = await wait({ locks: ['db'] });
    const reason = async () =>
      (await lockReasons({ db: database.read, hostNames, expectedEnd: unknownEnd }, [waiting], new Set([secret]))).get(
        waiting,
      );
    expect(await reason()).toEqual({ code: 'lock_ahead', params: { lock: 'db', id: 0, template: '' } });
    await claim();
    expect(await reason()).toEqual({
      code: 'lock_held',
      params: { lock: 'db', id: 0, template: '', since: '', expected_end: '' },
    });
  });

  it('of a thousand waiting tasks are compared in a time that grows with their number, not with its square', async () => {
    const { wait, claim, of, parallel, row, database } = await queueWithLocks(makeLocation);
    const names = Array.from({ length: 5 }, (_, n) => `lock ${n}`);
    await wait({ locks: names });
    await claim();
    const add = async (count: number) => {
      const values = Array.from({ length: count }, () => ({ ...row(of, parallel), locks: JSON.stringify(names) }));
      const added = await database.autocommit.insertInto('task').values(values).returning('id').execute();
      const locks = added.flatMap(({ id }) =>
        names.map((name) => ({ task_id: id, project_id: of.id, name, shared: 0 as const })),
      );
      for (let from = 0; from < locks.length; from += 500)
        await database.autocommit
          .insertInto('task_lock')
          .values(locks.slice(from, from + 500))
          .execute();
    };
    const fastest = async (): Promise<number> => {
      const times = [];
      for (let n = 0; n < 5; n++) {
        const start = performance.now();
        expect(await claim()).toEqual([]);
        times.push(performance.now() - start);
      }
      return Math.min(...times);
    };
    await add(100);
    const few = await fastest();
    for (let n = 0; n < 3; n++) await add(300);
    expect(await fastest()).toBeLessThan(25 * few + 10);
  });

  it('belong to a project', async () => {
    const { wait, claim, project, template, database, row } = await queueWithLocks(makeLocation);
    const mine = await wait({ locks: ['db'] });
    const other = await project(0);
    const values = { ...row(other, await template(other)), locks: '["db"]' };
    const theirs = await database.write(async (tx) => {
      const task = await tx.insertInto('task').values(values).returningAll().executeTakeFirstOrThrow();
      await storeLocks(tx, task, ['db']);
      return task.id;
    });
    expect(await claim()).toEqual([mine, theirs]);
  });

  it('show when the task that holds one will probably end', async () => {
    const { wait, claim, database, parallel, of, row } = await queueWithLocks(makeLocation);
    const minutes = (count: number) => new Date(Date.parse(NOW) + count * 60_000).toISOString();
    for (const count of [3, 10, 4]) {
      const { id } = await database.autocommit
        .insertInto('task')
        .values({ ...row(of, parallel), status: 'success' })
        .returning('id')
        .executeTakeFirstOrThrow();
      const times = { start_time: NOW, end_time: minutes(count) };
      await database.autocommit.updateTable('task').set(times).where('id', '=', id).execute();
    }
    const [holder, waiting] = [await wait({ locks: ['db'] }), await wait({ locks: ['db'] })];
    await claim();
    await applyEvent(database.autocommit, holder, 'accepted', new Date(minutes(20)));
    expect(
      (await lockReasons({ db: database.read, hostNames, expectedEnd: unknownEnd }, [waiting], NONE)).get(waiting)
        ?.params,
    ).toMatchObject({
      since: minutes(20),
      expected_end: minutes(24),
    });
  });

  it('are held by one task at a time in random queues, and every task ends', async () => {
    const { wait, finish, database, location, runner } = await queueWithLocks(makeLocation);
    const random = randomFor('locks');
    const upTo = (count: number) => Math.floor(random() * count);
    const names = ['a', 'b', 'c', 'd', 'e'];
    const locks = new Map<number, readonly string[]>();
    for (let n = 0; n < 40; n++) {
      const wanted = [...new Set(Array.from({ length: 1 + upTo(3) }, () => names[upTo(5)] as string))];
      locks.set(await wait({ locks: wanted, priority: upTo(3) }), wanted);
    }
    const other = location.databaseUrl === undefined ? database : await openQueue(location);
    const runners = [await runner('b', 3), await runner('c', 3)];
    const running = new Set<number>();
    let ended = 0;
    for (let round = 0; ended < locks.size && round < 200; round++) {
      const claims = await Promise.all(
        runners.map((one, n) => claimTasks(n === 0 ? database : other, { ...one, systemLimit: 0 })),
      );
      for (const { id } of claims.flat()) running.add(id);
      const held = [...running].flatMap((id) => locks.get(id) ?? []);
      expect(new Set(held).size).toBe(held.length);
      const [first] = running;
      if (first === undefined) continue;
      running.delete(first);
      await finish(first);
      ended += 1;
    }
    expect(ended).toBe(locks.size);
  });
});
