import { randomUUID } from 'node:crypto';
import type { Runner, RunnerDetails } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { CONTACT_MS } from '../../dispatch/session/link-check.ts';
import { LINK_PATH } from '../../dispatch/session/runner-hub.ts';
import {
  describeEachDatabase,
  describeOneDatabase,
  describeRemoteDatabase,
  type TestLocation,
} from '../../testing/database/databases.ts';
import { indexesUsed } from '../../testing/database/query-plan.ts';
import { ScriptedRunner } from '../../testing/runners/scripted-runner.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { TestClock } from '../../testing/test-clock.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { twoServers } from '../../testing/two-servers.ts';
import { lastTasksQuery } from './runner-tasks.ts';

const START = '2026-11-21T10:00:00.000Z';

const setUp = async (location: TestLocation, clock?: TestClock) => {
  const server = await startTestServer(location, { SIGNALBOX_RUNNER: 'off' }, clock);
  const admin = await server.signIn();
  const { id, token } = (await admin.post('/runners', { name: 'edge' })).json<{ id: number; token: string }>();
  const connect = async (process: string = randomUUID()) => {
    const runner = new ScriptedRunner(`${server.baseUrl.replace(/^http/, 'ws')}${LINK_PATH}`, token);
    await runner.open();
    runner.hello([], { process, version: '0.9.0', slots: 4, run_as: 'deploy' });
    await runner.receives('welcome');
    return runner;
  };
  const read = async () => (await admin.get(`/runners/${id}`)).json<RunnerDetails>();
  const drain = async () => (await admin.post(`/runners/${id}/drain`, {})).statusCode;
  return { server, admin, id, connect, read, drain };
};

/** Resolves when the server has handled everything that the runner has sent: it abandons a run that it does not know. */
const handled = async (runner: ScriptedRunner): Promise<void> => {
  runner.send({ type: 'started', task_id: 999_999, epoch: 1 });
  await expect.poll(() => runner.received.map(({ type }) => type)).toContain('abandon');
};

describeOneDatabase('a drained runner', (makeLocation) => {
  it('gets no more tasks, until another process of it starts', async () => {
    const { admin, connect, read, drain } = await setUp(await makeLocation());
    const sample = await sampleProject(admin);
    expect(await drain()).toBe(409);
    const first = await connect();
    expect(await drain()).toBe(204);
    await first.receives('drain');
    expect(await read()).toMatchObject({ connected: true, draining: true });
    const answer = await admin.post(`${sample.base}/tasks`, { template_id: await sample.template() });
    const closed = first.closed;
    first.close();
    await closed;
    await expect.poll(async () => (await read()).connected).toBe(false);
    const second = await connect();
    expect((await second.receives('job')).job.task_id).toBe(answer.json<{ id: number }>().id);
    expect(await read()).toMatchObject({ connected: true, draining: false });
    expect(first.received.filter(({ type }) => type === 'job')).toEqual([]);
    const events = (await admin.get('/events')).json<{ kind: string }[]>();
    expect(events.filter(({ kind }) => kind === 'runner.drain_requested')).toHaveLength(1);
  });

  it('is no local runner, which its server would start again', async () => {
    const { server, admin } = await setUp(await makeLocation());
    const row = { name: 'local@web-2', token_hash: 'x', slots: 1, created: START };
    const { database } = server.storage;
    const { id } = await database.autocommit.insertInto('runner').values(row).returning('id').executeTakeFirstOrThrow();
    expect((await admin.post(`/runners/${id}/drain`, {})).json()).toMatchObject({
      code: 'conflict.local_runner_drain',
    });
  });
});

describeRemoteDatabase('a drained runner of another server', (makeLocation) => {
  it('is asked to end with its next heartbeat', async () => {
    const { admin, runner } = await twoServers(makeLocation);
    await runner.receives('welcome');
    const [row] = (await admin.get('/runners')).json<Runner[]>();
    expect((await admin.post(`/runners/${row?.id}/drain`, {})).statusCode).toBe(204);
    runner.send({ type: 'heartbeat', runs: [] });
    await runner.receives('drain');
  });
});

describeOneDatabase('the last contact of a runner', (makeLocation) => {
  it('is stored with what it reported, seldom while it is idle, and when its link closes', async () => {
    const clock = new TestClock(START);
    const { server, connect, read, id } = await setUp(await makeLocation(), clock);
    expect(await read()).toMatchObject({ last_contact: null, version: '', apps: [], slots: 0, run_as: null });
    const runner = await connect();
    const stored = () =>
      server.storage.database.read.selectFrom('runner').select('last_contact').where('id', '=', id).executeTakeFirst();
    clock.pass(CONTACT_MS - 1);
    runner.send({ type: 'heartbeat', runs: [] });
    await handled(runner);
    expect(await stored()).toEqual({ last_contact: START });
    clock.pass(1);
    runner.send({ type: 'heartbeat', runs: [] });
    await expect.poll(stored).toEqual({ last_contact: '2026-11-21T10:05:00.000Z' });
    clock.pass(60_000);
    expect(await read()).toMatchObject({ last_contact: '2026-11-21T10:06:00.000Z' });
    runner.close();
    await expect.poll(async () => (await read()).connected).toBe(false);
    await expect.poll(stored).toEqual({ last_contact: '2026-11-21T10:06:00.000Z' });
    clock.pass(60_000);
    expect(await read()).toMatchObject({
      ...{ last_contact: '2026-11-21T10:06:00.000Z', version: '0.9.0', ansible: '2.14.18', slots: 4, run_as: 'deploy' },
      apps: [{ name: 'ansible', version: '2.14.18' }],
    });
  });
});

describeEachDatabase('the tasks of a runner', (makeLocation) => {
  it('are its current ones and the last 20 that have ended, newest first', async () => {
    const { server, admin, id, connect, read } = await setUp(await makeLocation());
    const sample = await sampleProject(admin);
    const template_id = await sample.template({ allow_parallel_tasks: true });
    const launch = async () => (await admin.post(`${sample.base}/tasks`, { template_id })).json<{ id: number }>().id;
    const ended: number[] = [];
    for (let n = 0; n < 21; n += 1) ended.push(await launch());
    const { database } = server.storage;
    await database.autocommit.updateTable('task').set({ status: 'success', runner_id: id }).execute();
    const runner = await connect();
    const current = await launch();
    await runner.receives('job');
    const details = await read();
    expect(details.current_tasks).toMatchObject([
      { id: current, project_id: sample.projectId, project_name: 'Sample', template_id, status: 'waiting' },
    ]);
    expect(details.last_tasks.map((task) => task.id)).toEqual(ended.toReversed().slice(0, 20));
    expect((await admin.get('/runners/999')).statusCode).toBe(404);
  });

  it('are read with their index', async () => {
    const { server, id } = await setUp(await makeLocation());
    const { database } = server.storage;
    const plan = await indexesUsed(database, lastTasksQuery(database.read, id), 'task');
    expect(plan).toEqual(['task_of_runner']);
  });
});
