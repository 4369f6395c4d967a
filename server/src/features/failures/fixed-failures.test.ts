import type { ResultRecord } from '@signalbox/contract';
import { expect, it } from 'vitest';
import type { Database } from '../../database/database.ts';
import { describeEachDatabase } from '../../testing/database/databases.ts';
import { endRun, failedOn, failedRunsIn, goodOn, RECORDS, START, TIMEOUT } from '../../testing/failed-runs.ts';
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
    const fixing = await run(first, goodOn('web-1'), 'success');
    await run(second, [...START, failedOn('db-1', 'No such user')]);
    await run(second, goodOn('db-2'), 'success');
    for (let count = 0; count < 3; count += 1) await run(first, goodOn('web-1'), 'success');
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

  it('are fixed on hosts that a run without a limit no longer has', async () => {
    const { sample, run, list } = await setUp();
    const trends = async () => (await list()).map(({ trend, cause }) => [trend, cause ?? 'unreachable']);
    const template = await sample.template();
    await run(template, [...goodOn('web-1', 'web-2'), failedOn('web-3', TIMEOUT, 'unreachable')]);
    await run(template, goodOn('web-1'), 'success');
    expect((await trends())[0]?.[0]).toBe('new');
    await run(template, goodOn('web-1', 'web-2'), 'success', { limit: 'web-1,web-2' });
    expect((await trends())[0]?.[0]).toBe('new');
    await run(template, goodOn('web-1', 'web-2', 'web-9'), 'success');
    expect((await trends())[0]?.[0]).toBe('gone');
  });

  it('are not fixed while a run of one of their templates had them last', async () => {
    const { sample, run, list } = await setUp();
    const [first, second] = [await sample.template(), await sample.template()];
    const failing = await run(first);
    await run(second);
    await run(second, goodOn('web-1'), 'success');
    const shown = async (query: string) =>
      (await list(query)).map(({ trend, template_id, seen }) => [trend, template_id, seen.times, seen.last_task_id]);
    expect(await shown('?cause=apt_locked')).toEqual([['new', first, 2, failing]]);
    expect(await shown('?cause=apt_locked&trend=gone')).toEqual([]);
    await run(first, goodOn('web-1'), 'success');
    expect(await shown('?cause=apt_locked&trend=gone')).toEqual([['gone', second, 2, failing + 1]]);
  });

  it('are fixed by a later run after the task of their last occurrence was deleted', async () => {
    const { admin, sample, run, list } = await setUp();
    const template = await sample.template();
    await run(template);
    await run(template, goodOn('web-1'), 'success');
    const deleted = await run(template);
    expect((await admin.del(`${sample.base}/tasks/${deleted}`)).statusCode).toBe(204);
    await run(template, goodOn('db-9'), 'success');
    const fixes = async () => (await list('?cause=apt_locked'))[0]?.seen.fixed_by;
    expect(await fixes()).not.toBe(deleted + 1);
    const fixing = await run(template, goodOn('web-2'), 'success');
    expect(await fixes()).toBe(fixing);
    const other = await sample.template();
    const only = await run(other, [...START, failedOn('db-1', 'No such user')]);
    expect((await admin.del(`${sample.base}/tasks/${only}`)).statusCode).toBe(204);
    const any = await run(other, goodOn('db-2'), 'success');
    expect((await list()).find(({ title }) => title.startsWith('No such user'))?.seen.fixed_by).toBe(any);
  });

  it('are fixed by a later run that ended before theirs', async () => {
    const { server, admin, sample, run, list } = await setUp();
    const template_id = await sample.template({ allow_parallel_tasks: true });
    const { id: slow } = (await admin.post(`${sample.base}/tasks`, { template_id })).json<{ id: number }>();
    const { id: middle } = (await admin.post(`${sample.base}/tasks`, { template_id })).json<{ id: number }>();
    const last = await run(template_id, goodOn('web-1'), 'success');
    const fix = async () => (await list('?cause=apt_locked'))[0]?.seen.fixed_by;
    await endRun(server, slow, RECORDS);
    expect(await fix()).toBe(last);
    await endRun(server, middle, goodOn('web-2'), 'success');
    expect(await fix()).toBe(middle);
  });
});
