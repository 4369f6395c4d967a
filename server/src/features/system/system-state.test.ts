import { hostname } from 'node:os';
import type { Queue, Runner, System } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { storeBackupTime } from '../../database/last-backup.ts';
import { describeEachDatabase, type TestLocation } from '../../testing/database/databases.ts';
import { connectRunner } from '../../testing/runners/scripted-runner.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { VERSION } from '../../version.ts';

const setUp = async (location: TestLocation) => {
  const server = await startTestServer(location);
  const admin = await server.signIn();
  const sample = await sampleProject(admin);
  const launch = async (template_id: number) =>
    (await admin.post(`${sample.base}/tasks`, { template_id })).json<{ id: number; created: string }>();
  const system = async () => (await admin.get('/system')).json<System>();
  const queue = async () => (await admin.get('/queue')).json<Queue>();
  return { server, admin, sample, launch, system, queue, folder: location.folder };
};

/** What the tasks of these tests need, apart from tags. */
const ANSIBLE = { app: 'ansible', execution_environment: 'system' };

describeEachDatabase('the state of the system', (makeLocation) => {
  it('describes the server, its database and its disk', async () => {
    const { server, system } = await setUp(await makeLocation());
    const { servers, database, ...rest } = await system();
    expect(servers).toMatchObject([
      { answered: true, host: hostname(), pid: process.pid, version: VERSION, runners: 0, notices_reopened: null },
    ]);
    const [own] = servers;
    expect(own?.disk?.total).toBeGreaterThan(own?.disk?.free ?? Number.POSITIVE_INFINITY);
    expect(own?.memory).toBeGreaterThan(1_000_000);
    const isShared = server.storage.database.capabilities.isShared;
    expect(rest).toMatchObject({
      undescribed_servers: 0,
      log_store: null,
      runners: { total: 0, separated: null, duplicates: [] },
    });
    expect(database).toMatchObject({
      kind: isShared ? 'postgres' : 'sqlite',
      version: expect.stringMatching(/^\d+\.\d+/),
      migrations: expect.any(Number),
      last_migration: expect.stringMatching(/^\d{4}-/),
      last_backup: null,
    });
    expect(database.bytes).toBeGreaterThan(100_000);
    expect(database.connections === null).toBe(!isShared);
    if (database.connections) expect(database.connections.maximum).toBeGreaterThan(database.connections.open);
  });

  it('keeps the time of the newest backup', async () => {
    const { server, system } = await setUp(await makeLocation());
    const { database } = server.storage;
    await storeBackupTime(database, '2026-11-02T10:00:00.000Z');
    await storeBackupTime(database, '2026-11-01T10:00:00.000Z');
    expect((await system()).database.last_backup).toBe('2026-11-02T10:00:00.000Z');
    await storeBackupTime(database, '2026-11-03T10:00:00.000Z');
    expect((await system()).database.last_backup).toBe('2026-11-03T10:00:00.000Z');
  });

  it('counts as busy only the slots of connected runners, and those that were asked to drain as draining', async () => {
    const { server, admin, sample, launch, system, folder } = await setUp(await makeLocation());
    const { database } = server.storage;
    const { id } = await launch(await sample.template());
    const added = (await admin.post('/runners', { name: 'away' })).json<{ id: number }>();
    await database.autocommit
      .updateTable('task')
      .set({ status: 'running', runner_id: added.id })
      .where('id', '=', id)
      .execute();
    expect((await system()).runners).toMatchObject({ total: 1, connected: 0, slots: 0, busy: 0 });
    const runner = await connectRunner(server, folder);
    runner.hello([], { slots: 3 });
    await runner.receives('welcome');
    await launch(await sample.template());
    await runner.receives('job');
    expect((await system()).runners).toMatchObject({ total: 2, connected: 1, slots: 3, busy: 1, draining: 0 });
    // As another server stores the request.
    await database.autocommit
      .updateTable('runner')
      .set((eb) => ({ drain_process: eb.fn.coalesce('process', 'connection') }))
      .where('connection', 'is not', null)
      .execute();
    expect((await system()).runners).toMatchObject({ draining: 1 });
    expect((await admin.get('/runners')).json<Runner[]>().map(({ name, draining }) => [name, draining])).toContainEqual(
      ['scripted', true],
    );
  });

  it('estimates the reasons of very many waiting tasks by the oldest of each template, and limits the groups', async () => {
    const { server, sample, launch, queue, folder } = await setUp(await makeLocation());
    const { autocommit } = server.storage.database;
    const runner = await connectRunner(server, folder);
    await autocommit.updateTable('runner').set({ tags: '["gpu"]' }).execute();
    runner.hello([], { slots: 1 });
    const running = await launch(await sample.template());
    await runner.receives('job');
    const { id } = await launch(await sample.template({ options: { runner_tags: ['gpu'] } }));
    const row = await autocommit.selectFrom('task').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    await autocommit
      .updateTable('task')
      .set({ after_task_id: running.id } as never)
      .where('id', '=', id)
      .execute();
    expect((await queue()).reasons).toContainEqual({ code: 'earlier_task', count: 1 });
    const copy = (n: number) => ({ ...row, id: id + n, runner_tags: n <= 110 ? `["t${n}"]` : row.runner_tags });
    for (let n = 1; n <= 2100; n += 100)
      await autocommit
        .insertInto('task')
        .values(Array.from({ length: 100 }, (_, more) => copy(n + more) as never))
        .execute();
    const { groups, ...counts } = await queue();
    expect(counts).toEqual({
      waiting: 2102,
      more_groups: 11,
      // Only the oldest task with the tag gpu waits for an earlier task; the others wait for a slot.
      reasons: [
        { code: 'earlier_task', count: 1991 },
        { code: 'no_runner_with_tags', count: 110 },
        { code: null, count: 1 },
      ],
      reasons_exact: false,
    });
    expect(groups).toHaveLength(100);
    expect(groups[0]).toEqual({ ...ANSIBLE, runner_tags: ['gpu'], count: 1991, oldest: row.created });
  });

  it('counts waiting tasks by what they need and why they wait', async () => {
    const { server, admin, sample, launch, system, queue, folder } = await setUp(await makeLocation());
    expect(await queue()).toEqual({ waiting: 0, groups: [], more_groups: 0, reasons: [], reasons_exact: true });
    const tagged = await sample.template({ options: { runner_tags: ['gpu', 'dmz'] } });
    const plain = await sample.template();
    const approved = await sample.template({ approval: 'anyone' });
    const oldest = await launch(tagged);
    await launch(tagged);
    const other = await launch(plain);
    await launch(approved);
    const groups = [
      { ...ANSIBLE, runner_tags: ['dmz', 'gpu'], count: 2, oldest: oldest.created },
      { ...ANSIBLE, runner_tags: [], count: 1, oldest: other.created },
    ];
    const counts = { waiting: 4, more_groups: 0, reasons_exact: true };
    const approval = { code: 'approval', count: 1 };
    expect(await queue()).toEqual({ ...counts, groups, reasons: [{ code: 'no_runner', count: 3 }, approval] });

    await admin.put(sample.base, { runner_tags: ['dmz', 'lan'] });
    expect((await queue()).groups.map(({ runner_tags }) => runner_tags)).toEqual([
      ['dmz', 'gpu', 'lan'],
      ['dmz', 'lan'],
    ]);
    await admin.put(sample.base, { runner_tags: [] });
    const runner = await connectRunner(server, folder);
    runner.hello([], { slots: 7 });
    await runner.receives('job');
    const { runners, queue: seen, servers } = await system();
    expect(runners).toMatchObject({ total: 1, connected: 1, slots: 7, busy: 1, draining: 0 });
    expect(servers).toMatchObject([{ runners: 1 }]);
    expect(seen.groups).toEqual(groups.slice(0, 1));
    expect(seen.reasons).toHaveLength(3);
    expect(seen.reasons).toEqual(
      expect.arrayContaining([{ code: 'no_runner_with_tags', count: 2 }, approval, { code: null, count: 1 }]),
    );
  });
});
