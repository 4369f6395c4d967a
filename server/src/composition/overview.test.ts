import type { EndReasonCode, Overview, TaskStatus, Trends } from '@signalbox/contract';
import { expect, it } from 'vitest';
import type { RunCluster } from '../failures/cluster.ts';
import { storeClusters } from '../features/failures/failure.store.ts';
import { encodeHostLines } from '../features/failures/host-lines.ts';
import { describeEachDatabase } from '../testing/database/databases.ts';
import { addMember, sampleProject } from '../testing/sample-project.ts';
import { storeReached } from '../testing/stored-failure.ts';
import { TestClock } from '../testing/test-clock.ts';
import { startTestServer } from '../testing/test-server.ts';

const START = '2026-11-21T10:00:00.000Z';

const cluster = (title: string, hosts: number): RunCluster => ({
  ...{ fingerprint: title.padEnd(32, '0'), result: 'failed', cause: null, title, action: 'apt', step: 'Upgrade' },
  ...{ step_number: 1, path: '', hosts, first_hosts: ['web-01'], messages: [], groups: [] },
  first: { host: 'web-01', at: 0, line: 1 },
  last: { host: 'web-01', at: 0, line: 1 },
});

describeEachDatabase('the overview of a project', (makeLocation) => {
  const setUp = async () => {
    const server = await startTestServer(await makeLocation(), {}, new TestClock(START));
    const admin = await server.signIn();
    const sample = await sampleProject(admin);
    const { database } = server.storage;
    /** Ends a new task of a template, with these clusters of failed hosts. */
    const run = async (
      template_id: number,
      status: TaskStatus,
      clusters: RunCluster[] = [],
      { input = {}, ...more }: { input?: object; end_reason?: EndReasonCode; commit_hash?: null } = {},
    ) => {
      const { id } = (await admin.post(`${sample.base}/tasks`, { template_id, ...input })).json<{ id: number }>();
      const ended = new Date(Date.parse(START) - 3_600_000 + id * 1000).toISOString();
      const columns = { status, end_time: ended, commit_hash: 'a'.repeat(40), ...more };
      await database.autocommit.updateTable('task').set(columns).where('id', '=', id).execute();
      const task = { id, project_id: sample.projectId, template_id, ended };
      const stored = clusters.map((one) => ({
        cluster: one,
        hostLines: encodeHostLines(Array.from({ length: one.hosts }, (_, number) => [`web-${number}`, 1])),
      }));
      if (stored.length > 0) await database.write((tx) => storeClusters(tx, task, stored));
      return id;
    };
    const overview = async (client = admin, query = '') =>
      (await client.get(`${sample.base}/overview${query}`)).json<Overview>();
    return { server, admin, sample, database, run, overview };
  };

  it('begins with the failures that are neither fixed nor known, on the most hosts first', async () => {
    const { admin, sample, database, run, overview } = await setUp();
    const [small, large, fixed] = [await sample.template(), await sample.template(), await sample.template()];
    await run(large, 'error', [cluster('disk full', 9)]);
    await run(small, 'error', [cluster('no such user', 1)]);
    await run(fixed, 'error', [cluster('timeout', 1)]);
    await storeReached(database, await run(fixed, 'success'), 'web-0');
    const { failures, failures_total } = await overview();
    expect(failures.map(({ title, hosts }) => [title, hosts])).toEqual([
      ['disk full', 9],
      ['no such user', 1],
    ]);
    expect(failures_total).toBe(2);
    const found = async (query: string) => (await admin.get(`${sample.base}/failures${query}`)).json().total;
    expect([await found('?open=true'), await found('?open=false')]).toEqual([2, 1]);
    await admin.put(`${sample.base}/failures/${failures[0]?.id}`, { known_until: '2026-11-28T10:00:00Z' });
    expect((await overview()).failures.map(({ title }) => title)).toEqual(['no such user']);
  });

  it('names the templates whose last runs failed before they reached a host, but no hidden ones', async () => {
    const { server, sample, run, overview } = await setUp();
    const open = await sample.template({ name: 'Certificates' });
    const secret = await sample.template({ name: 'Secret', restricted: true });
    const slow = await sample.template({ name: 'Slow' });
    await run(open, 'success');
    const broken = { end_reason: 'playbook.missing' } as const;
    await run(open, 'error', [], { end_reason: 'hosts.failed' });
    await run(open, 'error', [], broken);
    const last = await run(open, 'error', [], broken);
    await run(open, 'stopped');
    await run(open, 'success', [], { input: { dry_run: true } });
    await run(secret, 'error', [], broken);
    await run(slow, 'error', [], broken);
    await run(slow, 'error', [], { end_reason: 'time_limit' });
    const ana = await addMember(server, 'ana', { projectId: sample.projectId, role: 'manager' });
    expect((await overview(ana)).broken).toMatchObject([{ name: 'Certificates', task_id: last, runs: 2 }]);
    expect((await overview()).broken.map(({ name }) => name)).toEqual(['Secret', 'Certificates']);
    await run(open, 'success');
    expect((await overview(ana)).broken).toEqual([]);
  });

  it('names the runners that were connected and no longer are', async () => {
    const { sample, admin, database, overview } = await setUp();
    const other = await sampleProject(admin, 'Other');
    const create = async (name: string, more: object = {}) => {
      const { id } = (await admin.post('/runners', { name, ...more })).json<{ id: number }>();
      const last_contact = '2026-11-20T10:00:00.000Z';
      await database.autocommit.updateTable('runner').set({ last_contact }).where('id', '=', id).execute();
    };
    await create('branch-1', { projects: [sample.projectId] });
    await create('elsewhere', { projects: [other.projectId] });
    await create('resting', { paused: true });
    await admin.post('/runners', { name: 'never connected' });
    await create('tagged', { tags: ['dmz'] });
    const { runners_away } = await overview();
    expect(runners_away.map(({ name }) => name)).toEqual(['branch-1', 'tagged']);
    const confined = { runner_tags: JSON.stringify(['dmz']) };
    await database.autocommit.updateTable('project').set(confined).where('id', '=', sample.projectId).execute();
    expect((await overview()).runners_away.map(({ name }) => name)).toEqual(['tagged']);
  });

  it('counts the tasks since a visit', async () => {
    const { sample, run, overview } = await setUp();
    const template = await sample.template();
    await run(template, 'error');
    await run(template, 'success');
    expect((await overview()).visit).toBeNull();
    const since = async (at: string) => (await overview(undefined, `?since=${at}`)).visit;
    expect(await since('2026-11-21T09:00:00Z')).toEqual({ tasks: 2, failed: 1 });
    expect(await since('2026-11-21T11:00:00Z')).toEqual({ tasks: 0, failed: 0 });
  });

  it('has trends with the templates whose outcome changes without a reason', async () => {
    const { admin, sample, run } = await setUp();
    const [flaky, steady] = [await sample.template({ name: 'Flaky' }), await sample.template({ name: 'Steady' })];
    for (const status of ['success', 'error', 'success'] as const) await run(flaky, status);
    await run(flaky, 'error', [], { input: { limit: 'web-01' } });
    for (const status of ['error', 'error', 'stopped'] as const) await run(steady, status);
    const folder = await sample.template({ name: 'Folder' });
    for (const status of ['success', 'error'] as const) await run(folder, status, [], { commit_hash: null });
    const moved = await sample.template({ name: 'Moved' });
    await run(moved, 'success');
    const input = { name: 'Other', type: 'static', inventory: 'web-02', ssh_key_id: sample.keyId };
    const { id: inventory_id } = (await admin.post(`${sample.base}/inventory`, input)).json<{ id: number }>();
    await admin.put(`${sample.base}/templates/${moved}`, { inventory_id });
    await run(moved, 'error');
    const trends = (await admin.get(`${sample.base}/trends`)).json<Trends>();
    expect(trends.flaky).toEqual([
      { template_id: flaky, name: 'Flaky', runs: 4, flips: 2 },
      { template_id: folder, name: 'Folder', runs: 2, flips: 1 },
    ]);
    expect(trends).toMatchObject({ success: 4, error: 6, before: { success: 0, error: 0 } });
    expect(trends.days).toHaveLength(30);
    expect(trends.days.at(-1)).toMatchObject({ success: 4, error: 6, commits: 1 });
  });
});
