import type { Runner } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { LINK_PATH } from '../../dispatch/session/runner-hub.ts';
import { describeOneDatabase, describeRemoteDatabase, type TestLocation } from '../../testing/database/databases.ts';
import { ScriptedRunner } from '../../testing/runners/scripted-runner.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { type Client, startTestServer } from '../../testing/test-server.ts';
import { twoServers } from '../../testing/two-servers.ts';

const setUp = async (location: TestLocation) => {
  const server = await startTestServer(location, { SIGNALBOX_RUNNER: 'off' });
  const admin = await server.signIn();
  /** A runner with a link. */
  const connect = async (name: string, settings: object = {}) => {
    const answer = await admin.post('/runners', { name, ...settings });
    const { id, token } = answer.json<{ id: number; token: string }>();
    const runner = new ScriptedRunner(`${server.baseUrl.replace(/^http/, 'ws')}${LINK_PATH}`, token);
    await runner.open();
    runner.hello();
    await runner.receives('welcome');
    return { id, runner };
  };
  return { admin, connect };
};

const projectOf = async (admin: Client) => {
  const { base, template } = await sampleProject(admin);
  const template_id = await template({ allow_parallel_tasks: true });
  const launch = async () => (await admin.post(`${base}/tasks`, { template_id })).json<{ id: number }>().id;
  return { id: Number(base.split('/').at(-1)), base, launch };
};

/** Returns a function that asks a runner for the branches of a new repository. */
const branchesOf = async (admin: Client, base: string) => {
  const key = { name: 'Git', type: 'login_password', login_password: { login: 'git', password: 'secret' } };
  const { id: ssh_key_id } = (await admin.post(`${base}/keys`, key)).json<{ id: number }>();
  const repository = { name: 'Locked', git_url: 'https://git.example/x.git', git_branch: 'main', ssh_key_id };
  const { id } = (await admin.post(`${base}/repositories`, repository)).json<{ id: number }>();
  return () => admin.get(`${base}/repositories/${id}/branches`);
};

const find = async (admin: Client, id: number) =>
  (await admin.get('/runners')).json<Runner[]>().find((runner) => runner.id === id);

describeOneDatabase('settings of a runner', (makeLocation) => {
  it('are changed field by field, and events name what changed', async () => {
    const { admin } = await setUp(await makeLocation());
    const project = await projectOf(admin);
    const made = await admin.post('/runners', { name: 'edge', description: ' In the DMZ ', projects: [project.id] });
    const { id, ...created } = made.json<Runner>();
    expect(created).toMatchObject({ description: 'In the DMZ', paused: false, projects: [project.id] });
    const change = async (body: object) => (await admin.put(`/runners/${id}`, body)).statusCode;
    expect(await change({ tags: ['dmz'] })).toBe(204);
    expect(await change({ name: 'edge-1', paused: true })).toBe(204);
    expect(await find(admin, id)).toMatchObject({
      ...{ name: 'edge-1', tags: ['dmz'], description: 'In the DMZ', paused: true, projects: [project.id] },
    });
    expect(await change({ projects: null, paused: false })).toBe(204);
    expect(await change({ description: '' })).toBe(204);
    expect(await change({ description: '' })).toBe(204);
    expect(await find(admin, id)).toMatchObject({ description: '', paused: false, projects: null });
    const events = (await admin.get('/events')).json<{ kind: string; params: object }[]>();
    expect(events.filter(({ kind }) => kind.startsWith('runner.')).map(({ kind, params }) => [kind, params])).toEqual([
      ['runner.changed', { name: 'edge-1', fields: 'description' }],
      ['runner.changed', { name: 'edge-1', fields: 'projects' }],
      ['runner.resumed', { name: 'edge-1' }],
      ['runner.changed', { name: 'edge-1', old_name: 'edge', fields: 'name' }],
      ['runner.paused', { name: 'edge-1' }],
      ['runner.changed', { name: 'edge', fields: 'tags' }],
      ['runner.created', { name: 'edge' }],
    ]);
  });

  it('refuse names of other runners and projects that do not exist, and change nothing then', async () => {
    const { admin } = await setUp(await makeLocation());
    const { id } = (await admin.post('/runners', { name: 'edge' })).json<Runner>();
    await admin.post('/runners', { name: 'other' });
    const change = async (body: object) => (await admin.put(`/runners/${id}`, body)).json<{ code: string }>();
    expect(await change({ name: 'other' })).toMatchObject({ code: 'conflict.runner_name_taken' });
    expect(await change({ name: 'local' })).toMatchObject({ code: 'conflict.runner_name_taken' });
    expect(await change({ paused: true, projects: [999] })).toMatchObject({
      fields: { projects: 'is not the id of a project' },
    });
    expect(await find(admin, id)).toMatchObject({ name: 'edge', paused: false, projects: null });
  });

  it('give a paused runner no task, and let its running tasks continue', async () => {
    const { admin, connect } = await setUp(await makeLocation());
    const { launch, base } = await projectOf(admin);
    const { id, runner } = await connect('edge');
    const first = await launch();
    const { job } = await runner.receives('job');
    await admin.put(`/runners/${id}`, { paused: true });
    const second = await launch();
    runner.send({ type: 'accepted', task_id: first, epoch: job.epoch });
    await runner.receives('start');
    runner.send({ type: 'started', task_id: first, epoch: job.epoch });
    const statusOf = async (task: number) => (await admin.get(`${base}/tasks/${task}`)).json().status;
    await expect.poll(() => statusOf(first)).toBe('running');
    expect(await statusOf(second)).toBe('waiting');
    await admin.put(`/runners/${id}`, { paused: false });
    expect((await runner.receives('job')).job.task_id).toBe(second);
  });

  it('limit a runner to the tasks of its projects, and to none once the last of these was deleted', async () => {
    const { admin, connect } = await setUp(await makeLocation());
    const [one, two] = [await projectOf(admin), await projectOf(admin)];
    const { id, runner } = await connect('edge', { projects: [two.id] });
    const waiting = await one.launch();
    const task = await two.launch();
    expect((await runner.receives('job')).job.task_id).toBe(task);
    await admin.post(`${two.base}/tasks/${task}/stop`, { force: true });
    await admin.del(two.base);
    expect(await find(admin, id)).toMatchObject({ projects: [] });
    const other = await connect('other');
    expect((await other.runner.receives('job')).job.task_id).toBe(waiting);
    expect(runner.received.filter(({ type }) => type === 'job')).toEqual([]);
  });
});

describeOneDatabase('a query of a project', (makeLocation) => {
  it('[S10] goes to no runner that is paused or takes no tasks of the project', async () => {
    const { admin, connect } = await setUp(await makeLocation());
    const [one, two] = [await projectOf(admin), await projectOf(admin)];
    const ask = await branchesOf(admin, one.base);
    const { id, runner } = await connect('edge', { projects: [two.id] });
    expect((await ask()).statusCode).toBe(503);
    await admin.put(`/runners/${id}`, { projects: null, paused: true });
    expect((await ask()).statusCode).toBe(503);
    await admin.put(`/runners/${id}`, { paused: false });
    const asking = ask();
    const { query_id } = await runner.receives('query');
    runner.send({ type: 'answer', query_id, answer: { ask: 'branches', branches: ['main'] } });
    expect((await asking).json()).toEqual(['main']);
  });
});

describeRemoteDatabase('a runner of another server', (makeLocation) => {
  it('gets neither queries nor tasks from the moment at which it is paused', async () => {
    const { admin, sample, runner } = await twoServers(makeLocation);
    await runner.receives('welcome');
    const [row] = (await admin.get('/runners')).json<Runner[]>();
    await admin.put(`/runners/${row?.id}`, { paused: true });
    const ask = await branchesOf(admin, sample.base);
    expect((await ask()).statusCode).toBe(503);
    await admin.post(`${sample.base}/tasks`, { template_id: await sample.template() });
    await admin.put(`/runners/${row?.id}`, { paused: false });
    await runner.receives('job');
    expect(runner.received.filter(({ type }) => type === 'query')).toEqual([]);
  });
});
