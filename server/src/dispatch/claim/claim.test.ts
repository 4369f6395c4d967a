import { expect, it } from 'vitest';
import { applyEvent } from '../../features/tasks/task-transition.ts';
import { describeEachDatabase, describeRemoteDatabase } from '../../testing/database/databases.ts';
import { lockWaits } from '../../testing/database/lock-waits.ts';
import { indexesUsed, recordStatements, vacuum } from '../../testing/database/query-plan.ts';
import { type Given, hostNames, NOW, newQueue, openQueue } from '../../testing/database/queue.ts';
import { claimTasks, releaseLease } from './claim.ts';
import { waitingReader } from './waiting-tasks.ts';

/** The step of a plan that reads a task by its id. */
const BY_ID = { sqlite: 'SEARCH task USING INTEGER PRIMARY KEY (rowid=?)', postgres: 'task_pkey' };

const ids = (claims: readonly { id: number }[]) => claims.map(({ id }) => id);

describeEachDatabase('claiming tasks', (makeLocation) => {
  it('leases the oldest tasks first, up to the free slots of the runner', async () => {
    const { database, runner, project, template, task, end } = await newQueue(makeLocation);
    const of = await project(0);
    const tasks = [];
    for (let n = 0; n < 5; n++) tasks.push(await task(of, await template(of)));
    const limits = await runner('a', 3);
    const claim = () => claimTasks(database, { ...limits, systemLimit: 0 });
    expect(ids(await claim())).toEqual(tasks.slice(0, 3));
    expect(await claim()).toEqual([]);
    await end(tasks[1] as number);
    expect(ids(await claim())).toEqual([tasks[3]]);
  });

  it('[R8] runs a template once at a time by default, and does not block later tasks of other templates', async () => {
    const { database, runner, project, template, task, end } = await newQueue(makeLocation);
    const of = await project(0);
    const [single, parallel] = [await template(of), await template(of, true)];
    const tasks = [await task(of, single), await task(of, single), await task(of, parallel), await task(of, parallel)];
    const limits = await runner('a', 10);
    const claim = () => claimTasks(database, { ...limits, systemLimit: 0 });
    expect(ids(await claim())).toEqual([tasks[0], tasks[2], tasks[3]]);
    await end(tasks[0] as number);
    expect(ids(await claim())).toEqual([tasks[1]]);
  });

  it('[R8] respects the limits of projects and of the system', async () => {
    const { database, runner, project, template, task } = await newQueue(makeLocation);
    const [narrow, wide] = [await project(1), await project(0)];
    const first = await task(narrow, await template(narrow));
    await task(narrow, await template(narrow));
    const others = [];
    for (let n = 0; n < 4; n++) others.push(await task(wide, await template(wide)));
    const limits = await runner('a', 10);
    expect(ids(await claimTasks(database, { ...limits, systemLimit: 3 }))).toEqual([first, others[0], others[1]]);
    expect(ids(await claimTasks(database, { ...limits, systemLimit: 5 }))).toEqual([others[2], others[3]]);
  });

  it('[R8] exceeds no limit when many claims run at the same time', async () => {
    const { location, database, runner, project, template, task } = await newQueue(makeLocation);
    const of = await project(3);
    for (let n = 0; n < 20; n++) await task(of, await template(of, true));
    // A second server on PostgreSQL; on SQLite the same one.
    const other = location.databaseUrl === undefined ? database : await openQueue(location);
    const runners = [await runner('a', 10), await runner('b', 10)];
    const claims = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        claimTasks(n % 2 ? database : other, { ...(runners[n % 2] as (typeof runners)[0]), systemLimit: 0 }),
      ),
    );
    expect(claims.flat()).toHaveLength(3);
    expect(new Set(ids(claims.flat())).size).toBe(3);
  });

  it('[R8] leases no task to a runner whose token was revoked', async () => {
    const { database, runner, project, template, task } = await newQueue(makeLocation);
    const of = await project(0);
    await task(of, await template(of));
    const limits = await runner('a', 1);
    expect(await claimTasks(database, { ...limits, tokenHash: 'of before', systemLimit: 0 })).toEqual([]);
    expect(await claimTasks(database, { ...limits, systemLimit: 0 })).toHaveLength(1);
  });

  it('leases a task only to a runner with its app, and does not block tasks of other apps', async () => {
    const { database, runner, project, template, task, end } = await newQueue(makeLocation);
    const of = await project(0);
    const shared = await template(of);
    const other = await task(of, shared, { app: 'another-app' });
    const own = await task(of, shared);
    const limits = { ...(await runner('a', 10)), systemLimit: 0 };
    expect(await claimTasks(database, { ...limits, apps: [] })).toEqual([]);
    expect(ids(await claimTasks(database, limits))).toEqual([own]);
    expect(ids(await claimTasks(database, { ...limits, apps: ['another-app'] }))).toEqual([]);
    await end(own);
    expect(ids(await claimTasks(database, { ...limits, apps: ['ansible', 'another-app'] }))).toEqual([other]);
  });

  it('leases a task only to a runner that has all of its tags, and does not block tasks for others', async () => {
    const { database, runner, project, template, task, end } = await newQueue(makeLocation);
    const of = await project(0);
    const shared = await template(of);
    const both = await task(of, shared, { tags: ['dmz', 'gpu'] });
    const one = await task(of, shared, { tags: ['dmz'] });
    const any = await task(of, await template(of));
    const [plain, dmz] = [await runner('plain', 10), await runner('dmz', 10, ['linux', 'dmz'])];
    const claim = (limits: typeof plain) => claimTasks(database, { ...limits, systemLimit: 0 });
    expect(ids(await claim(plain))).toEqual([any]);
    expect(ids(await claim(dmz))).toEqual([one]);
    await end(one);
    expect(await claim(dmz)).toEqual([]);
    await database.autocommit
      .updateTable('runner')
      .set({ tags: '["dmz","gpu"]' })
      .where('id', '=', dmz.runnerId)
      .execute();
    expect(ids(await claim(dmz))).toEqual([both]);
  });

  it('leases tasks by priority, then by age, in one template and over several, within the limit of a project', async () => {
    const { database, runner, project, template, task, end } = await newQueue(makeLocation);
    const [wide, narrow] = [await project(0), await project(1)];
    const [single, parallel] = [await template(wide), await template(wide, true)];
    const low = await task(wide, parallel, { priority: -10 });
    const [old, newer] = [await task(wide, parallel), await task(wide, parallel)];
    const [normal, first] = [await task(wide, single), await task(wide, single, { priority: 10, tags: ['dmz'] })];
    const third = await task(narrow, await template(narrow));
    const urgent = await task(narrow, await template(narrow), { priority: 5 });
    const limits = { ...(await runner('a', 10, ['dmz'])), systemLimit: 0 };
    expect(ids(await claimTasks(database, { ...limits, slots: 1 }))).toEqual([first]);
    await end(first);
    expect(ids(await claimTasks(database, { ...limits, slots: 3 }))).toEqual([urgent, old, newer]);
    await end(urgent);
    expect(ids(await claimTasks(database, limits))).toEqual([normal, third, low]);
  });

  it('is not delayed by more different sets of tags than one statement compares', async () => {
    const { database, runner, project, template, row, task } = await newQueue(makeLocation);
    const of = await project(0);
    const busy = await template(of);
    const [running, ...sets] = Array.from({ length: 1102 }, (_, n) => row(of, busy, { tags: [`t${n}`] }));
    const tags = sets.map((one) => (JSON.parse(one.runner_tags) as [string])[0]);
    await database.autocommit
      .insertInto('task')
      .values({ ...row(of, busy), ...running, status: 'running' })
      .execute();
    for (let from = 0; from < sets.length; from += 367)
      await database.autocommit
        .insertInto('task')
        .values(sets.slice(from, from + 367))
        .execute();
    const newest = await task(of, await template(of));
    expect(ids(await claimTasks(database, { ...(await runner('a', 5, tags)), systemLimit: 0 }))).toEqual([newest]);
  });

  /** So many claims that other work of the machine does not slow all of them. */
  const SAMPLES = 10;

  it('finds the next task among 10,000 that wait without reading them all', async () => {
    const { database, runner, project, template, row } = await newQueue(makeLocation);
    const of = await project(0);
    const [other, own] = [await template(of, true), await template(of, true)];
    const insert = async (count: number, ...given: [number, Given?]) => {
      for (let n = 0; n < count; n += 500)
        await database.autocommit
          .insertInto('task')
          .values(Array.from({ length: 500 }, () => row(of, ...given)))
          .execute();
    };
    await insert(500, other, { tags: ['absent'] });
    await insert(500, own, { tags: ['dmz'] });
    const limits = { ...(await runner('a', 1, ['dmz'])), systemLimit: 0 };
    const timed = async () => {
      const start = performance.now();
      const claims = await claimTasks(database, limits);
      const ms = performance.now() - start;
      for (const { id, epoch } of claims) await releaseLease(database, id, epoch);
      return { ms, claims: claims.length };
    };
    const few = [];
    for (let n = 0; n < SAMPLES; n++) few.push(await timed());
    await insert(4500, other, { tags: ['absent'] });
    await insert(4500, own, { tags: ['dmz'] });
    const many = [];
    for (let n = 0; n < SAMPLES; n++) many.push(await timed());
    const fastest = (all: readonly { readonly ms: number }[]) => Math.min(...all.map(({ ms }) => ms));
    expect(fastest(many)).toBeLessThan(3 * fastest(few) + 2);
    expect([...few, ...many].map(({ claims }) => claims)).toEqual(Array.from({ length: 2 * SAMPLES }, () => 1));
  });

  it('reads the tasks that wait, and those that count against limits, only with the indexes of their conditions', async () => {
    const { database, runner, project, template, row } = await newQueue(makeLocation);
    const of = await project(20);
    const templates: number[] = [];
    for (let n = 0; n < 20; n++) templates.push(await template(of, n % 2 === 0));
    const insert = (count: number, status: (n: number) => 'success' | 'waiting' | 'running') =>
      database.autocommit
        .insertInto('task')
        .values(Array.from({ length: count }, (_, n) => ({ ...row(of, templates[n % 20] ?? 0), status: status(n) })))
        .execute();
    for (let n = 0; n < 8; n++) await insert(500, () => 'success');
    await insert(200, (n) => (n % 40 === 0 ? 'running' : 'waiting'));
    await vacuum(database);
    const { recorded, statements } = recordStatements(database);
    const limits = await runner('a', 20);
    expect(await claimTasks(recorded, { ...limits, systemLimit: 15 })).toHaveLength(10);
    const waiting = database.read.selectFrom('task').select('id').where('status', '=', 'waiting').orderBy('id', 'desc');
    const { id } = await waiting.limit(1).executeTakeFirstOrThrow();
    const read = waitingReader({
      database: recorded,
      systemLimit: 15,
      runners: () => [],
      isComplete: () => true,
      expectedEnd: async () => null,
      hostNames,
    });
    expect([...(await read([id], new Set())).keys()]).toEqual([id]);
    const used = async (alias: string) => {
      const all = [];
      for (const statement of statements) all.push(...(await indexesUsed(database, statement, alias)));
      return new Set(all);
    };
    expect(await used('waiting')).toEqual(new Set(['task_queue', 'task_queue_order']));
    expect(await used('other')).toEqual(new Set(['task_held']));
    const claim = statements.find((one) => /^update "task"/.test(one.compile().sql)) ?? waiting;
    expect(new Set(await indexesUsed(database, claim, 'task'))).toEqual(new Set([BY_ID[database.capabilities.name]]));
  });

  it('[R3] leases a task again that was never accepted, and refuses the old lease afterwards', async () => {
    const { database, runner, project, template, task } = await newQueue(makeLocation);
    const of = await project(0);
    const id = await task(of, await template(of));
    const limits = await runner('a', 1);
    const [first] = await claimTasks(database, { ...limits, systemLimit: 0 });
    const old = first?.epoch ?? 0;
    await releaseLease(database, id, old);
    expect(await applyEvent(database.autocommit, id, 'accepted', new Date(NOW), old)).toBeUndefined();
    const [second] = await claimTasks(database, { ...limits, systemLimit: 0 });
    expect(second).toMatchObject({ id });
    expect(second?.epoch).toBeGreaterThan(old);
    await releaseLease(database, id, old);
    expect(await claimTasks(database, { ...limits, systemLimit: 0 })).toEqual([]);
  });
});

describeRemoteDatabase('a claim that waits for another transaction', (makeLocation) => {
  it('[R4] leases no task that this transaction stops, leases to another runner, or lets wait for an approval', async () => {
    const { database, runner, project, template, task } = await newQueue(makeLocation);
    const of = await project(0);
    const [stopped, leased, pending, left] = [
      await task(of, await template(of)),
      await task(of, await template(of)),
      await task(of, await template(of)),
      await task(of, await template(of)),
    ];
    const [one, other] = [await runner('a', 10), await runner('b', 10)];
    const claim = await database.write(async (tx) => {
      await applyEvent(tx, stopped, 'stop', new Date(NOW));
      const change = (id: number) => tx.updateTable('task').where('id', '=', id);
      await change(leased).set({ runner_id: other.runnerId }).execute();
      await change(pending).set({ approval_state: 'pending' }).execute();
      const claiming = claimTasks(database, { ...one, systemLimit: 0 });
      await lockWaits(database);
      return { claiming };
    });
    expect(ids(await claim.claiming)).toEqual([left]);
    const tasks = database.read.selectFrom('task').select(['id', 'status', 'runner_id', 'epoch']).orderBy('id');
    expect(await tasks.execute()).toEqual([
      { id: stopped, status: 'stopped', runner_id: null, epoch: 0 },
      { id: leased, status: 'waiting', runner_id: other.runnerId, epoch: 0 },
      { id: pending, status: 'waiting', runner_id: null, epoch: 0 },
      { id: left, status: 'waiting', runner_id: one.runnerId, epoch: 1 },
    ]);
  });
});
