import type { ActiveTask, QueuedTask } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { describeEachDatabase, type TestLocation } from '../../testing/database/databases.ts';
import { ScriptedRunner } from '../../testing/runners/scripted-runner.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { LINK_PATH } from '../session/runner-hub.ts';

const setUp = async (location: TestLocation, settings: Record<string, string> = {}) => {
  const server = await startTestServer(location, settings);
  const admin = await server.signIn();
  const sample = await sampleProject(admin);
  const launch = async (template_id: number, more: object = {}) =>
    (await admin.post(`${sample.base}/tasks`, { template_id, ...more })).json<QueuedTask>();
  const read = async (id: number) => {
    const task = (await admin.get(`${sample.base}/tasks/${id}`)).json<QueuedTask>();
    return [task.waiting_reason, task.queue_position] as const;
  };
  /** A runner with a link, of which a test reads the jobs. */
  const connect = async (name: string, hello: Parameters<ScriptedRunner['hello']>[1], tags: string[] = []) => {
    const { id, token } = (await admin.post('/runners', { name, tags })).json<{ id: number; token: string }>();
    const runner = new ScriptedRunner(`${server.baseUrl.replace(/^http/, 'ws')}${LINK_PATH}`, token);
    await runner.open();
    runner.hello([], hello);
    await runner.receives('welcome');
    return { id, runner };
  };
  return { admin, sample, launch, read, connect };
};

describeEachDatabase('a waiting task', (makeLocation) => {
  it('names which runner is missing until one comes that has the app and the tags', async () => {
    const { admin, sample, launch, read, connect } = await setUp(await makeLocation());
    const template = await sample.template({ options: { runner_tags: ['gpu', 'dmz'] } });
    const created = await launch(template);
    expect(created).toMatchObject({ waiting_reason: { code: 'no_runner', params: {} }, queue_position: 1 });
    await connect('without', { apps: [] }, ['dmz', 'gpu']);
    expect(await read(created.id)).toEqual([{ code: 'no_runner_with_app', params: { app: 'ansible' } }, 1]);
    const { id, runner } = await connect('other', {}, ['dmz']);
    const missing = { code: 'no_runner_with_tags', params: { tags: 'dmz, gpu' } };
    expect(await read(created.id)).toEqual([missing, 1]);
    const [active] = (await admin.get('/tasks/active')).json<ActiveTask[]>();
    expect(active).toMatchObject({ id: created.id, waiting_reason: missing, queue_position: 1 });
    await admin.put(`/runners/${id}`, { tags: ['dmz', 'gpu'] });
    expect((await runner.receives('job')).job.task_id).toBe(created.id);
    expect(await read(created.id)).toEqual([null, null]);
  });

  it('names the execution environment that no runner provides, until a runner announces it', async () => {
    const { sample, launch, read, connect } = await setUp(await makeLocation());
    const { runner } = await connect('old', {}, []);
    const execution_environment = { kind: 'virtual', requirements: 'ansible-core' };
    const created = await launch(await sample.template({ execution_environment }));
    const missing = { code: 'no_runner_with_environment', params: { kind: 'virtual' } };
    expect(await read(created.id)).toEqual([missing, 1]);
    const environments = ['virtual', 'later'].map((kind) => ({ kind, program: 'uv', version: '0.9.1' }));
    runner.send({ type: 'heartbeat', runs: [], environments });
    const { job } = await runner.receives('job');
    expect(job).toMatchObject({ task_id: created.id, execution_environment });
  });

  it('names the tags of its project, projects of runners and pauses, until a runner takes it', async () => {
    const { admin, sample, launch, read, connect } = await setUp(await makeLocation());
    const { id, runner } = await connect('dmz', {}, ['dmz']);
    await admin.put(`/runners/${id}`, { projects: [] });
    await admin.put(sample.base, { runner_tags: ['dmz', 'linux'] });
    const created = await launch(await sample.template({ options: { runner_tags: ['dmz'] } }));
    expect(await read(created.id)).toEqual([{ code: 'no_runner_with_tags', params: { tags: 'dmz, linux' } }, 1]);
    await admin.put(`/runners/${id}`, { tags: ['dmz', 'linux'] });
    expect(await read(created.id)).toEqual([{ code: 'no_runner_for_project', params: {} }, 1]);
    await admin.put(`/runners/${id}`, { projects: [sample.projectId], paused: true });
    expect(await read(created.id)).toEqual([{ code: 'runners_paused', params: {} }, 1]);
    await admin.put(`/runners/${id}`, { paused: false });
    expect((await runner.receives('job')).job.task_id).toBe(created.id);
  });

  it('names the limit that it waits for, and its position by priority and age', async () => {
    const { admin, sample, launch, read, connect } = await setUp(await makeLocation(), {
      SIGNALBOX_MAX_PARALLEL_TASKS: '2',
    });
    const { runner } = await connect('here', { slots: 3 });
    const [one, two, three] = [
      await sample.template(),
      await sample.template(),
      await sample.template({ prompts: { priority: 'any' } }),
    ];
    await launch(one);
    await runner.receives('job');
    const busy = await launch(one);
    expect(await read(busy.id)).toEqual([
      { code: 'template_busy', params: { id: expect.any(Number), expected_end: '' } },
      1,
    ]);
    await launch(two);
    await runner.receives('job');
    const limited = await launch(three);
    expect(await read(limited.id)).toEqual([{ code: 'system_limit', params: { limit: 2 } }, 2]);
    const urgent = await launch(three, { priority: 10 });
    await admin.put(sample.base, { max_parallel_tasks: 1 });
    const limit = { code: 'project_limit', params: { limit: 1 } };
    expect([await read(urgent.id), await read(limited.id)]).toEqual([
      [limit, 1],
      [limit, 3],
    ]);
  });

  it('names the lock that it waits for, and the task that holds it', async () => {
    const { admin, sample, launch, read, connect } = await setUp(await makeLocation());
    const survey_vars = [{ name: 'env', title: 'Environment', type: '', required: true }];
    const locks = ['db-{{ env }}', 'db-{{ env }}'];
    const template = await sample.template({ allow_parallel_tasks: true, survey_vars, locks });
    const refused = await admin.put(`${sample.base}/templates/${template}`, { locks: ['{{ other }}'] });
    expect([refused.statusCode, refused.json()]).toMatchObject([
      400,
      { field_codes: { 'locks.0': { code: 'lock.variable', params: { lock: '{{ other }}', variable: 'other' } } } },
    ]);
    const start = (env: string) => launch(template, { environment: JSON.stringify({ env }) });
    const [first, second, other] = [await start('prod'), await start('prod'), await start('test')];
    expect([first.locks, other.locks]).toEqual([['db-prod'], ['db-test']]);
    const long = await admin.post(`${sample.base}/tasks`, {
      template_id: template,
      environment: JSON.stringify({ env: 'x'.repeat(100_000) }),
    });
    expect([long.statusCode, long.json()]).toMatchObject([
      400,
      { field_codes: { environment: { code: 'lock.too_long', params: { max: 200 } } } },
    ]);
    const { runner } = await connect('a', {});
    const jobs = [await runner.receives('job'), await runner.receives('job')].map(({ job }) => job.task_id);
    expect(new Set(jobs)).toEqual(new Set([first.id, other.id]));
    const params = { lock: 'db-prod', id: first.id, template: expect.any(String), since: '', expected_end: '' };
    expect((await read(second.id))[0]).toEqual({ code: 'lock_held', params });
    await admin.post(`${sample.base}/tasks/${first.id}/stop`, { force: false });
    expect((await runner.receives('job')).job.task_id).toBe(second.id);
  });

  it('waits while every runner that could run it is full', async () => {
    const { sample, launch, read, connect } = await setUp(await makeLocation());
    const { runner } = await connect('small', { slots: 1 }, ['dmz']);
    await connect('free', { slots: 5 });
    const options = { runner_tags: ['dmz'] };
    await launch(await sample.template({ options }));
    await runner.receives('job');
    const waiting = await launch(await sample.template({ options }));
    expect(await read(waiting.id)).toEqual([{ code: 'runners_busy', params: {} }, 1]);
  });
});
