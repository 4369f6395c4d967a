import type { ResultRecord } from '@signalbox/contract';
import { expect, it } from 'vitest';
import type { Database } from '../../database/database.ts';
import { describeEachDatabase } from '../../testing/database/databases.ts';
import { endRun, failedOn, failedRunsIn, GOOD, goodOn, RECORDS, START, TIMEOUT } from '../../testing/failed-runs.ts';
import { unfixedRuns } from './unfixed-runs.ts';

/** Adds copies of an ended task, without results. */
const copyTask = async (database: Database, id: number, count: number): Promise<void> => {
  const { id: _, ...task } = await database.read
    .selectFrom('task')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  for (let copy = 0; copy < count; copy += 1)
    await database.autocommit
      .insertInto('task')
      .values(task as never)
      .execute();
};

describeEachDatabase('the failures of a project', (makeLocation) => {
  const setUp = () => failedRunsIn(makeLocation);

  it('are fixed by the first later run of the template without them, however many runs follow', async () => {
    const { server, sample, run, list } = await setUp();
    const [first, second] = [await sample.template(), await sample.template()];
    const fixes = async () =>
      new Map((await list()).map(({ title, seen }) => [title.slice(0, 12), seen.fixed_by] as const));
    const { database } = server.storage;
    const failing = await run(first);
    await run(first, goodOn('db-1'), 'success');
    await run(first, [...START, failedOn('web-1', TIMEOUT, 'unreachable')]);
    expect(await fixes()).toEqual(
      new Map([
        ['Could not ge', null],
        ['ssh: connect', null],
      ]),
    );
    expect(await unfixedRuns(database, first)).toHaveLength(2);
    const fixing = await run(first, GOOD, 'success');
    await run(second, [...START, failedOn('db-1', 'No such user')]);
    await run(second, goodOn('db-2'), 'success');
    for (let count = 0; count < 3; count += 1) await run(first, GOOD, 'success');
    await copyTask(database, fixing, 150);
    const expected = new Map([
      ['No such user', null],
      ['Could not ge', fixing],
      ['ssh: connect', fixing],
    ]);
    expect(await fixes()).toEqual(expected);
    expect(await unfixedRuns(database, first)).not.toContain(failing);
    const again = await run(first);
    expect((await fixes()).get('Could not ge')).toBe(fixing);
    expect(await unfixedRuns(database, first)).toContain(again);
  });

  it('are fixed host by host by runs with a limit, and stay open on the hosts that no later run reached', async () => {
    const { admin, sample, run, list } = await setUp();
    const template = await sample.template();
    const locked = (...hosts: string[]): ResultRecord[] => [
      ...START,
      ...hosts.map((host) => failedOn(host, 'Could not get lock /var/lib/dpkg/lock. It is held by process 7 (apt)')),
    ];
    const state = async () => {
      const [failure] = await list();
      return [failure?.trend, failure?.hosts, failure?.open_hosts, failure?.seen.fixed_by];
    };
    const goodWithLimit = (host: string) => run(template, goodOn(host), 'success', { limit: host });
    await run(template, locked('web-1', 'web-2', 'web-3', 'web-4'));
    await goodWithLimit('web-1');
    expect(await state()).toEqual(['new', 4, 3, null]);
    await run(template, locked('web-2'), 'error', { limit: 'web-2' });
    expect(await state()).toEqual(['ongoing', 1, 3, null]);
    const names = async () =>
      (await admin.get(`${sample.base}/failures/${(await list())[0]?.id}/hosts?from=2&limit=1`)).json();
    expect(await names()).toEqual({ first: 2, total: 3, hosts: ['web-3'] });
    await goodWithLimit('web-2');
    await goodWithLimit('db-1');
    expect(await state()).toEqual(['ongoing', 1, 2, null]);
    await run(template, [...goodOn('web-3'), failedOn('web-4', TIMEOUT, 'unreachable')]);
    const open = async () => (await list('?cause=apt_locked')).map(({ trend, open_hosts }) => [trend, open_hosts]);
    expect(await open()).toEqual([['ongoing', 1]]);
    const fixing = await goodWithLimit('web-4');
    expect(await open()).toEqual([['gone', 0]]);
    expect((await list('?cause=apt_locked'))[0]?.seen.fixed_by).toBe(fixing);
    await run(template, locked('web-1'), 'error', { limit: 'web-1' });
    expect((await list('?cause=apt_locked')).map(({ trend, open_hosts }) => [trend, open_hosts])).toEqual([
      ['returned', 1],
    ]);
  });

  it('are not fixed by runs that did not pass their step on the host', async () => {
    const { sample, run, list } = await setUp();
    const template = await sample.template({ prompts: { tags: 'any', skip_tags: 'any' } });
    const open = async () => (await list('?cause=apt_locked'))[0]?.open_hosts;
    await run(template);
    expect(await open()).toBe(2);
    const other = (name: string): ResultRecord[] =>
      goodOn('web-1', 'web-2', 'web-3').map((one) => (one.kind === 'step' ? { ...one, name } : one));
    await run(template, other('Preflight'), 'success', { tags: ['check'] });
    expect(await open()).toBe(2);
    await run(template, [...other('Preflight'), failedOn('web-3', 'No such user')]);
    expect(await open()).toBe(2);
    await run(template, other('Renamed'), 'success');
    expect(await open()).toBe(0);
  });

  it('stay open on hosts that a run with them could not reach, and end where the step fails in another way', async () => {
    const { sample, run, list } = await setUp();
    const template = await sample.template();
    const open = async () => (await list('?cause=apt_locked'))[0]?.open_hosts;
    const lock = 'Could not get lock /var/lib/dpkg/lock. It is held by process 7 (apt)';
    await run(template);
    await run(template, [...START, failedOn('web-1', lock), failedOn('web-2', TIMEOUT, 'unreachable')]);
    expect(await open()).toBe(2);
    await run(template, [...goodOn('web-2'), failedOn('web-1', 'No such user')]);
    expect(await open()).toBe(0);
  });

  it('are fixed on hosts that no inventory of the project has any more', async () => {
    const { server, sample, run, list } = await setUp();
    const { autocommit, read } = server.storage.database;
    const template = await sample.template();
    await run(template);
    const { inventory_id } = await read.selectFrom('template').select('inventory_id').executeTakeFirstOrThrow();
    for (const [host, vanished] of [
      ['web-1', null],
      ['web-2', 5],
    ] as const) {
      const row = { project_id: sample.projectId, host, runs: '[]' };
      const { id: host_id } = await autocommit.insertInto('host').values(row).returning('id').executeTakeFirstOrThrow();
      await autocommit
        .insertInto('host_inventory')
        .values({ host_id, inventory_id: inventory_id as number, vanished })
        .execute();
    }
    const open = async () => (await list('?cause=apt_locked'))[0]?.open_hosts;
    await run(template, goodOn('db-1'), 'success');
    expect(await open()).toBe(1);
    await run(template, goodOn('web-1'), 'success');
    expect(await open()).toBe(0);
  });

  it('are not fixed while a run of one of their templates had them last', async () => {
    const { sample, run, list } = await setUp();
    const [first, second] = [await sample.template(), await sample.template()];
    const failing = await run(first);
    await run(second);
    await run(second, GOOD, 'success');
    const shown = async (query: string) =>
      (await list(query)).map(({ trend, template_id, seen }) => [trend, template_id, seen.times, seen.last_task_id]);
    expect(await shown('?cause=apt_locked')).toEqual([['new', first, 2, failing]]);
    expect(await shown('?cause=apt_locked&trend=gone')).toEqual([]);
    await run(first, GOOD, 'success');
    expect(await shown('?cause=apt_locked&trend=gone')).toEqual([['gone', second, 2, failing + 1]]);
  });

  it('are fixed by a later run after the task of their last occurrence was deleted', async () => {
    const { admin, sample, run, list } = await setUp();
    const template = await sample.template();
    await run(template);
    await run(template, GOOD, 'success');
    const deleted = await run(template);
    expect((await admin.del(`${sample.base}/tasks/${deleted}`)).statusCode).toBe(204);
    await run(template, goodOn('db-9'), 'success');
    const fixes = async () => (await list('?cause=apt_locked'))[0]?.seen.fixed_by;
    expect(await fixes()).not.toBe(deleted + 1);
    const fixing = await run(template, GOOD, 'success');
    expect(await fixes()).toBe(fixing);
    const other = await sample.template();
    const only = await run(other, [...START, failedOn('db-1', 'No such user')]);
    expect((await admin.del(`${sample.base}/tasks/${only}`)).statusCode).toBe(204);
    await run(other, goodOn('db-2'), 'success');
    const any = await run(other, goodOn('db-1'), 'success');
    expect((await list()).find(({ title }) => title.startsWith('No such user'))?.seen.fixed_by).toBe(any);
  });

  it('are open where they occurred last, in whatever order runs end', async () => {
    const { server, admin, sample, run, list } = await setUp();
    const template_id = await sample.template({ allow_parallel_tasks: true });
    const start = async () => (await admin.post(`${sample.base}/tasks`, { template_id })).json<{ id: number }>().id;
    const state = async () => {
      const failure = (await list('?cause=apt_locked'))[0];
      return [failure?.open_hosts, failure?.seen.fixed_by];
    };
    const [slow, middle] = [await start(), await start()];
    const last = await run(template_id, goodOn('web-1'), 'success');
    await endRun(server, slow, RECORDS);
    expect(await state()).toEqual([1, null]);
    await endRun(server, middle, goodOn('web-2'), 'success');
    expect(await state()).toEqual([0, middle]);
    const late = await start();
    const again = await run(template_id);
    await endRun(server, late, goodOn('web-1', 'web-2'), 'success');
    expect(await state()).toEqual([2, middle]);
    expect(again).toBeGreaterThan(last);
  });
});
