import { ROUTE_TABLE, type RouteName, type RouteShape } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { drawSample } from '../../../../testing/sample.ts';
import { OBJECTS_OF_TEMPLATES } from '../../database/queries/objects-of-templates.ts';
import { describeOneDatabase } from '../../testing/database/databases.ts';
import { VALID_REQUESTS } from '../../testing/requests/valid-request.ts';
import { addMember, sampleProject } from '../../testing/sample-project.ts';
import { startTestServer } from '../../testing/test-server.ts';

const ROUTES = Object.entries(ROUTE_TABLE) as [RouteName, RouteShape][];
/** Parameters of paths whose objects belong to a template. */
const OF_TEMPLATES = ['template_id', 'launch_id', 'call_id', ...OBJECTS_OF_TEMPLATES.map((table) => `${table}_id`)];
const SECRET = 'Secret release';

const TEMPLATE = (sample: { inventoryId: number; environmentId: number; repositoryId: number }) => ({
  name: 'Mine',
  playbook: 'site.yml',
  inventory_id: sample.inventoryId,
  environment_id: sample.environmentId,
  repository_id: sample.repositoryId,
});

const versionsOf = (template_id: number) => ({
  ...{ name: 'version', title: 'Version', type: 'enum', source: { type: 'versions', template_id } },
});

const urlOf = (path: string, params: Readonly<Record<string, number | string>>): string =>
  `/api${path.replaceAll(/\{(\w+)\}/g, (_, param: string) => String(params[param] ?? 'missing'))}`;

describeOneDatabase('[S2] a restricted template', (makeLocation) => {
  const setUp = async () => {
    const server = await startTestServer(await makeLocation());
    const admin = await server.signIn();
    const { template: makeTemplate, ...project } = await sampleProject(admin);
    let count = 0;
    const template = async (input: object = {}) =>
      await makeTemplate({
        ...input,
        name: `${SECRET} ${++count}`,
        restricted: true,
        type: 'build',
        start_version: '1.0',
      });
    const sample = { ...project, template };
    const manager = await addMember(server, 'ana', { projectId: sample.projectId, role: 'manager' });
    return { server, admin, sample, manager };
  };

  it('and what belongs to it are answered to managers without a grant like unknown ids', async () => {
    const { server, admin, sample, manager } = await setUp();
    const routes = ROUTES.filter(
      ([name, { params, permission }]) =>
        permission.kind === 'project' &&
        Object.keys(params?.shape ?? {}).some((param) => OF_TEMPLATES.includes(param)) &&
        name !== 'deleteTask',
    );
    for (const [name, { method, path }] of drawSample('hidden templates: objects', routes, 25)) {
      const request = await VALID_REQUESTS[name]({ server, admin, sample }, name);
      const params = { project_id: sample.projectId, ...request.params };
      const unknown = Object.fromEntries(OF_TEMPLATES.map((param) => [param, 2_000_000_000]));
      const send = (url: string) => manager.send({ method, url, ...(request.body ? { payload: request.body } : {}) });
      const hidden = await send(urlOf(path, params));
      const missing = await send(urlOf(path, { ...params, ...unknown }));
      expect([403, 404], `${name}: ${hidden.body}`).toContain(hidden.statusCode);
      expect(hidden.body, name).toBe(missing.body);
    }
  }, 60_000);

  it('is not accepted as a build, as a template of a token, or in a view', async () => {
    const { admin, sample, manager } = await setUp();
    const { base } = sample;
    const hidden = await sample.template();
    const view_id = (await admin.post(`${base}/views`, { title: SECRET, restricted: true })).json<{ id: number }>().id;
    const requests = (template: number, view: number) =>
      [
        ['/user/tokens', { name: 'one', scopes: ['run'], templates: [template] }],
        [`${base}/templates`, { ...TEMPLATE(sample), type: 'deploy', build_template_id: template }],
        [`${base}/templates`, { ...TEMPLATE(sample), view_id: view }],
        [`${base}/templates`, { ...TEMPLATE(sample), survey_vars: [versionsOf(template)] }],
        [`${base}/views/positions`, { [view]: 7 }],
      ] as const;
    const unknown = requests(2_000_000_000, 2_000_000_000);
    for (const [index, [path, body]] of requests(hidden, view_id).entries()) {
      const answer = await manager.post(path, body);
      const missing = await manager.post(unknown[index]?.[0] ?? '', unknown[index]?.[1] ?? {});
      expect([answer.statusCode, answer.json().code], path).toEqual([400, missing.json().code]);
      const fieldsOf = ({ fields = {} }: { fields?: object }) =>
        Object.keys(fields).map((field) => field.replace(/^\d+$/, 'id'));
      expect(fieldsOf(answer.json()), path).toEqual(fieldsOf(missing.json()));
    }
    const plain = (await admin.post(`${base}/templates`, TEMPLATE(sample))).json<{ id: number }>().id;
    const secret = (await admin.post(`${base}/tasks`, { template_id: hidden })).json<{ id: number }>().id;
    const start = (build: number) => manager.post(`${base}/tasks`, { template_id: plain, build_task_id: build });
    expect((await start(secret)).body).toBe((await start(2_000_000_000)).body);
    for (const change of ['put', 'del'] as const)
      expect((await manager[change](`${base}/views/${view_id}`, { title: 'Mine' })).statusCode).toBe(404);
  });

  it('stays out of the activity after it was deleted, with its view, its grants and its tasks', async () => {
    const { admin, sample, manager } = await setUp();
    const { base } = sample;
    const id = await sample.template();
    await admin.post(`${base}/grants`, { template_id: id, role: 'guest', rights: ['see'] });
    const task = (await admin.post(`${base}/tasks`, { template_id: id })).json<{ id: number }>().id;
    await admin.post(`${base}/tasks/${task}/stop`, {});
    const view = (await admin.post(`${base}/views`, { title: SECRET, restricted: true })).json<{ id: number }>().id;
    expect((await admin.del(`${base}/views/${view}`)).statusCode).toBe(204);
    expect((await admin.del(`${base}/templates/${id}`)).statusCode).toBe(204);
    const seen = async (client: typeof admin) =>
      (await Promise.all([`${base}/events`, `${base}/events/last`, '/events'].map((path) => client.get(path))))
        .map(({ body }) => body)
        .join();
    expect(await seen(manager)).not.toContain(SECRET);
    expect(await seen(admin)).toContain(`Template ${SECRET} 1 deleted`);
  });

  it('takes its failures out of the activity when it is restricted later', async () => {
    const { server, admin, sample, manager } = await setUp();
    const { base, projectId } = sample;
    const template_id = (await admin.post(`${base}/templates`, { ...TEMPLATE(sample), restricted: false })).json<{
      id: number;
    }>().id;
    const { autocommit } = server.storage.database;
    const { id } = await autocommit
      .insertInto('failure')
      .values({
        project_id: projectId,
        fingerprint: 'f',
        result: 'failed',
        cause: null,
        action: 'apt',
        title: SECRET,
        step: '',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const moment = '2026-11-01T00:00:00.000Z';
    const seen = { times: 1, streak: 1, since: moment, last: moment, first_task_id: 1, last_task_id: 1, hosts: 1 };
    await autocommit
      .insertInto('failure_template')
      .values({ failure_id: id, template_id, title: SECRET, step: '', ...seen })
      .execute();
    expect((await admin.put(`${base}/failures/${id}`, { note: 'Wait' })).statusCode).toBe(204);
    const events = async () => (await manager.get(`${base}/events`)).body;
    expect(await events()).toContain(SECRET);
    expect((await admin.put(`${base}/templates/${template_id}`, { restricted: true })).statusCode).toBe(204);
    expect(await events()).not.toContain(SECRET);
  });

  it('is not named in any list', async () => {
    const { server, admin, sample, manager } = await setUp();
    const { base, projectId } = sample;
    for (const name of ['createTask', 'createSchedule', 'createWebhook', 'createFreezeWindow'] as const) {
      const request = await VALID_REQUESTS[name]({ server, admin, sample }, `of ${SECRET}`);
      const body = { ...request.body, template_id: await sample.template() };
      const answer = await admin.post(`${base}${ROUTE_TABLE[name].path.replace('/project/{project_id}', '')}`, body);
      expect(answer.statusCode, `${name}: ${answer.body}`).toBe(201);
    }
    const lists = ROUTES.filter(([, { method, path }]) => method === 'GET' && !/\{(?!project_id)/.test(path));
    let seenByAdmin = 0;
    for (const [name, { path }] of lists) {
      const url = urlOf(path, { project_id: projectId }) + (path === '/search' ? '?q=Secret' : '');
      expect((await manager.send({ method: 'GET', url })).body, name).not.toContain(SECRET);
      if ((await admin.send({ method: 'GET', url })).body.includes(SECRET)) seenByAdmin += 1;
    }
    // Templates, tasks, schedules, webhooks, events, and what spans projects.
    expect(seenByAdmin).toBeGreaterThan(8);
    for (const [path, id] of [
      ['inventory', sample.inventoryId],
      ['repositories', sample.repositoryId],
    ] as const) {
      const refs = await manager.get(`${base}/${path}/${id}/refs`);
      expect(refs.body).not.toContain(SECRET);
      expect(refs.json()).toMatchObject({ used_by_hidden: true });
      expect((await admin.get(`${base}/${path}/${id}/refs`)).json()).toMatchObject({ used_by_hidden: false });
    }
  });
});
