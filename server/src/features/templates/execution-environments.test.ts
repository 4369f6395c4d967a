import type { Event, Project, QueuedTask, Template } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { describeOneDatabase, type TestLocation } from '../../testing/database/databases.ts';
import { connectRunner } from '../../testing/runners/scripted-runner.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { startTestServer } from '../../testing/test-server.ts';

const VIRTUAL = { kind: 'virtual', requirements: 'ansible-core==2.19.1', requirements_file: '' };

const CONTAINER = { kind: 'container', image: 'ghcr.io/team/ansible:2.19' };

const setUp = async (location: TestLocation, settings: Record<string, string> = {}) => {
  const server = await startTestServer(location, settings);
  const admin = await server.signIn();
  const sample = await sampleProject(admin);
  const start = (template_id: number) => admin.post(`${sample.base}/tasks`, { template_id });
  const kindOfTask = async (template: number) => (await start(template)).json<QueuedTask>().execution_environment.kind;
  return { server, admin, start, kindOfTask, ...sample };
};

describeOneDatabase('execution environments', (makeLocation) => {
  it('are those of the template, else of the project, else of the system, as they were at the start', async () => {
    const { admin, base, template, kindOfTask, start } = await setUp(await makeLocation(), {
      SIGNALBOX_DEFAULT_EXECUTION_ENVIRONMENT: JSON.stringify({ kind: 'virtual', requirements: 'of-the-system' }),
    });
    const id = await template();
    expect((await start(id)).json()).toMatchObject({ execution_environment: { requirements: 'of-the-system' } });
    await admin.put(base, { execution_environment: { kind: 'system' } });
    const task = (await start(id)).json<QueuedTask>();
    expect(task).toMatchObject({ execution_environment: { kind: 'system' }, runner_tags: [] });
    await admin.put(`${base}/templates/${id}`, { execution_environment: VIRTUAL });
    expect((await start(id)).json()).toMatchObject({ execution_environment: VIRTUAL, runner_tags: [] });
    expect((await admin.get(`${base}/tasks/${task.id}`)).json()).toMatchObject({
      execution_environment: { kind: 'system' },
    });
    await admin.put(`${base}/templates/${id}`, { execution_environment: null });
    expect(await kindOfTask(id)).toBe('system');
    const [, event] = (await admin.get(`${base}/events`)).json<Event[]>();
    expect(event).toMatchObject({ kind: 'template.changed', params: { fields: 'execution_environment' } });
  });

  it('of a kind that is not allowed cannot be saved or started', async () => {
    const location = await makeLocation();
    const before = await setUp(location);
    const id = await before.template({ execution_environment: VIRTUAL });
    await before.server.stop();
    const server = await startTestServer(location, { SIGNALBOX_EXECUTION_ENVIRONMENTS: 'system' });
    const admin = await server.signIn();
    const saved = await admin.put(before.base, { execution_environment: VIRTUAL });
    expect([saved.statusCode, saved.json()]).toMatchObject([
      400,
      { fields: { execution_environment: expect.stringContaining('choose one of: system') } },
    ]);
    const started = await admin.post(`${before.base}/tasks`, { template_id: id });
    const code = 'conflict.execution_environment';
    expect([started.statusCode, started.json()]).toMatchObject([
      409,
      { code, params: { kind: 'virtual', allowed: 'system' } },
    ]);
    // Other fields can be changed all the same.
    expect((await admin.put(`${before.base}/templates/${id}`, { name: 'Renamed' })).statusCode).toBe(204);
    expect((await admin.get('/info')).json()).toMatchObject({ execution_environments: ['system'] });
  });

  it('of a kind that was forbidden meanwhile end a waiting task, with the setting that forbids it', async () => {
    const location = await makeLocation();
    const before = await setUp(location);
    const task = (await before.start(await before.template({ execution_environment: VIRTUAL }))).json<QueuedTask>();
    await before.server.stop();
    const server = await startTestServer(location, { SIGNALBOX_EXECUTION_ENVIRONMENTS: 'system' });
    const admin = await server.signIn();
    const runner = await connectRunner(server, location.folder);
    runner.hello([], { environments: [{ kind: 'virtual', program: 'uv', version: '1' }] });
    const path = `${before.base}/tasks/${task.id}`;
    await expect.poll(async () => (await admin.get(path)).json<QueuedTask>().status).toBe('error');
    expect((await admin.get(path)).json()).toMatchObject({
      end_reason: { code: 'execution_environment.not_allowed', params: { kind: 'virtual', allowed: 'system' } },
    });
    expect(runner.received.filter(({ type }) => type === 'job')).toEqual([]);
    runner.close();
  });

  it.each([
    [{ kind: 'container', image: '0123456789ab' }, 'image'],
    [{ kind: 'virtual' }, 'requirements'],
    [{ kind: 'virtual', requirements: 'ansible-core=2.19.1' }, 'requirements'],
    [{ kind: 'virtual', requirements: ' \n' }, 'requirements'],
    [{ kind: 'virtual', requirements_file: '../other/requirements.txt' }, 'requirements_file'],
    [{ kind: 'jail' }, 'kind'],
    [{ kind: 'container' }, 'image'],
    [{ kind: 'container', image: '--privileged' }, 'image'],
    [{ kind: 'container', image: 'ansible', memory_mb: 1 }, 'memory_mb'],
  ])('are refused if they are not complete: %j', async (execution_environment, field) => {
    const { admin, base } = await setUp(await makeLocation());
    const refused = await admin.put(base, { execution_environment });
    expect(refused.statusCode).toBe(400);
    expect(Object.keys(refused.json<{ fields: object }>().fields)).toEqual([`execution_environment.${field}`]);
  });

  it('take the login of a registry from a key of the project, which then stays', async () => {
    const { admin, base, template } = await setUp(await makeLocation());
    const other = await sampleProject(admin, 'Other');
    const newKey = async (project: string, type: 'login_password' | 'none') => {
      const body = {
        name: `Registry ${type} ${Math.random()}`,
        type,
        login_password: { login: 'robot', password: 'secret' },
      };
      return (await admin.post(`${project}/keys`, body)).json<{ id: number }>().id;
    };
    const [own, none, foreign] = [
      await newKey(base, 'login_password'),
      await newKey(base, 'none'),
      await newKey(other.base, 'login_password'),
    ];
    const id = await template();
    const save = (path: string, registry_key_id: number) =>
      admin.put(path, { execution_environment: { ...CONTAINER, registry_key_id } });
    for (const path of [base, `${base}/templates/${id}`])
      for (const key of [none, foreign])
        expect((await save(path, key)).json<{ fields: object }>().fields).toHaveProperty([
          'execution_environment.registry_key_id',
        ]);
    expect((await save(`${base}/templates/${id}`, own)).statusCode).toBe(204);
    expect((await admin.del(`${base}/keys/${own}`)).statusCode).toBe(409);
    const references = (await admin.get(`${base}/keys/${own}/refs`)).json<{ templates: object[] }>();
    expect(references.templates).toMatchObject([{ id }]);

    const ofProject = await newKey(base, 'login_password');
    expect((await save(base, ofProject)).statusCode).toBe(204);
    const refused = await admin.del(`${base}/keys/${ofProject}`);
    expect(refused.json()).toMatchObject({ code: 'in_use.registry_key' });
    const change = { name: 'Registry', type: 'none', override_secret: true };
    expect((await admin.put(`${base}/keys/${ofProject}`, change)).json()).toMatchObject({
      code: 'in_use.password_key',
    });
    expect((await admin.put(base, { execution_environment: null })).statusCode).toBe(204);
    expect((await admin.del(`${base}/keys/${ofProject}`)).statusCode).toBe(204);
  });

  it('are copied with a template', async () => {
    const { admin, base, template } = await setUp(await makeLocation());
    const id = await template({ execution_environment: VIRTUAL });
    await admin.post(`${base}/templates/selected/copy`, { ids: [id], suffix: ' 2' });
    const all = (await admin.get(`${base}/templates`)).json<Template[]>();
    expect(all.map(({ execution_environment }) => execution_environment)).toEqual([VIRTUAL, VIRTUAL]);
    expect((await admin.get(base)).json<Project>().execution_environment).toBeNull();
  });
});
