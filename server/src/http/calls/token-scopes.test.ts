import { once } from 'node:events';
import { ROUTE_TABLE, type RouteName, type RouteShape, TokenScope } from '@signalbox/contract';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { describeOneDatabase, type MakeLocation } from '../../testing/database/databases.ts';
import { addMember, sampleProject } from '../../testing/sample-project.ts';
import { type Client, startTestServer } from '../../testing/test-server.ts';

const ROUTES = (Object.entries(ROUTE_TABLE) as [RouteName, RouteShape][]).filter(
  ([, { permission }]) => permission.kind !== 'anyone',
);
const UNKNOWN_ID = 2_000_000_000;

/** The calls of the scope `run` that are no reads. Independent of the route table, so that a wrong permission there is found. */
const RUN: readonly RouteName[] = ['createTask', 'runTemplates', 'stopTask', 'stopTasks', 'resendWebhookCall'];

const permits = (scope: TokenScope, name: RouteName, { method }: RouteShape): boolean => {
  if (scope === 'everything') return true;
  if (scope === 'metrics') return name === 'metrics' || name === 'getQueue';
  return method === 'GET' || (scope === 'run' && RUN.includes(name));
};

interface Refusal {
  readonly code?: string;
  readonly params?: object;
}

const setUp = async (makeLocation: MakeLocation) => {
  const server = await startTestServer(await makeLocation());
  const admin = await server.signIn();
  const withToken = async (client: Client, limits: object) => {
    const made = await client.post('/user/tokens', { name: 'limited', ...limits });
    expect(made.statusCode, made.body).toBe(201);
    const headers = { authorization: `Bearer ${made.json<{ token: string }>().token}` };
    const call = (name: RouteName, params: Record<string, unknown> = {}, body: object = {}) => {
      const { method, path, body: takesBody } = ROUTE_TABLE[name] as RouteShape;
      const url = `/api${path.replaceAll(/\{(\w+)\}/g, (_, param: string) => String(params[param] ?? UNKNOWN_ID))}`;
      return server.anonymous.send({ method, url, headers, ...(takesBody ? { payload: body } : {}) });
    };
    const get = (path: string) => server.anonymous.send({ method: 'GET', url: `/api${path}`, headers });
    return { call, get, headers, made };
  };
  return { server, admin, withToken };
};

describeOneDatabase('[S1] the scope of an API token', (makeLocation) => {
  it.each(TokenScope.options)('%s permits exactly the calls of the published table', async (scope) => {
    const { admin, withToken } = await setUp(makeLocation);
    const { call } = await withToken(admin, { scopes: [scope] });
    for (const [name, route] of ROUTES) {
      const token = name === 'deleteToken' ? { token_id: 'sbx_unknown' } : {};
      const { statusCode, body } = await call(name, token);
      const { code } = body.startsWith('{') ? (JSON.parse(body) as Refusal) : {};
      const isRefused = statusCode === 403 && code === 'not_permitted.token_scope';
      expect(isRefused, `${name} with ${scope}: ${statusCode} ${body}`).toBe(!permits(scope, name, route));
    }
  });

  it('[S2] hides projects to which the token is not restricted, also from an admin', async () => {
    const { server, admin, withToken } = await setUp(makeLocation);
    const [own, foreign] = [await sampleProject(admin, 'Own'), await sampleProject(admin, 'Foreign')];
    const member = await addMember(server, 'ana', { projectId: own.projectId, role: 'owner' });
    await admin.post(`${foreign.base}/users`, {
      user_id: (await member.get('/user')).json<{ id: number }>().id,
      role: 'owner',
    });
    for (const client of [admin, member]) {
      const { call, get, headers } = await withToken(client, { projects: [own.projectId] });
      for (const [name, { permission, method }] of ROUTES) {
        const token = name === 'deleteToken' ? { token_id: 'sbx_unknown' } : {};
        const answer = await call(name, { ...token, project_id: foreign.projectId });
        const what = `${name}: ${answer.body}`;
        if (permission.kind === 'project') {
          expect(answer.statusCode, what).toBe(404);
          expect(answer.body, what).toBe((await call(name)).body);
        } else if (permission.kind !== 'user' || method !== 'GET')
          expect(answer.json<Refusal>().code, what).toBe('not_permitted.token_projects');
        else expect(answer.statusCode, what).not.toBe(403);
      }
      expect((await get(own.base)).statusCode).toBe(200);
      expect((await get('/projects')).json<{ name: string }[]>().map(({ name }) => name)).toEqual(['Own']);
      const events = (await get('/events')).json<{ project_id: number }[]>();
      expect(new Set(events.map(({ project_id }) => project_id))).toEqual(new Set([own.projectId]));
      // Other tokens of the user are listed without the names of their projects.
      await withToken(client, { projects: [foreign.projectId], scopes: ['read'] });
      expect((await get('/user/tokens')).body).not.toContain('Foreign');

      const socket = new WebSocket(`${server.baseUrl.replace('http', 'ws')}/api/ws`, { headers });
      onTestFinished(() => socket.terminate());
      const received: { project_id?: number }[] = [];
      socket.on('message', (data: Buffer) => received.push(JSON.parse(data.toString('utf8')) as object));
      await once(socket, 'open');
      socket.send('{"type":"follow","tasks":[]}');
      socket.ping();
      await once(socket, 'pong');
      await admin.post(`${foreign.base}/views`, { title: `Foreign ${client === admin}` });
      await admin.post(`${own.base}/views`, { title: `Own ${client === admin}` });
      socket.ping();
      await once(socket, 'pong');
      expect(received).toEqual([{ type: 'changed', project_id: own.projectId, part: 'views' }]);
    }
  });

  it('restricts runs to templates, and stops too', async () => {
    const { admin, withToken } = await setUp(makeLocation);
    const { projectId: project_id, template } = await sampleProject(admin);
    const [allowed, other] = [await template(), await template()];
    const { call, made } = await withToken(admin, { scopes: ['run'], templates: [allowed] });
    expect(made.json()).toMatchObject({ scopes: ['run'], projects: null, templates: [{ id: allowed, project_id }] });
    const start = (template_id: unknown) => call('createTask', { project_id }, { template_id });
    const refused = async (answer: ReturnType<typeof call>) =>
      expect((await answer).json<Refusal>().code).toBe('not_permitted.token_template');
    await refused(start(other));
    await refused(start(UNKNOWN_ID));
    expect((await start('no id')).statusCode).toBe(400);
    const { id: own } = (await start(allowed)).json<{ id: number }>();
    expect((await admin.get(`/project/${project_id}/tasks/${own}`)).json()).toMatchObject({ token_name: 'limited' });
    const [started] = (await admin.get(`/project/${project_id}/events`)).json();
    expect(started).toMatchObject({ kind: 'task.started', token_name: 'limited' });
    const { id: foreign } = (await admin.post(`/project/${project_id}/tasks`, { template_id: other })).json<{
      id: number;
    }>();
    await refused(call('stopTask', { project_id, task_id: foreign }));
    await refused(call('stopTask', { project_id, task_id: UNKNOWN_ID }));
    expect((await call('stopTask', { project_id, task_id: own })).statusCode).toBe(204);
    expect((await call('getTask', { project_id, task_id: foreign })).statusCode).toBe(200);
  });

  it('never exceeds the rights of its user', async () => {
    const { server, admin, withToken } = await setUp(makeLocation);
    const { projectId: project_id, template } = await sampleProject(admin);
    const template_id = await template();
    const guest = await addMember(server, 'guest', { projectId: project_id, role: 'guest' });
    const { call } = await withToken(guest, { scopes: ['run', 'metrics'] });
    expect((await call('createTask', { project_id }, { template_id })).json<Refusal>().code).toBe('not_permitted');
    expect((await call('metrics')).json<Refusal>().code).toBe('not_permitted.admins_only');
  });

  it('is refused when it contradicts itself, or names projects and templates that its user cannot see', async () => {
    const { server, admin, withToken } = await setUp(makeLocation);
    const [one, two] = [await sampleProject(admin, 'One'), await sampleProject(admin, 'Two')];
    const ana = await addMember(server, 'ana', { projectId: one.projectId, role: 'guest' });
    const [first, second] = [await one.template(), await two.template()];
    const run = { scopes: ['run'] };
    for (const [client, limits, field, code] of [
      [admin, { scopes: [] }, 'scopes', 'field.min_entries'],
      [admin, { scopes: ['write'] }, 'scopes.0', 'field.choice'],
      [admin, { projects: [] }, 'projects', 'field.min_entries'],
      [admin, { templates: [first] }, 'templates', 'field.token_run'],
      [admin, { scopes: ['run', 'everything'], templates: [first] }, 'templates', 'field.token_run'],
      [admin, { scopes: ['metrics'], projects: [one.projectId] }, 'projects', 'field.token_metrics'],
      [admin, { projects: [UNKNOWN_ID] }, 'projects', 'field.own_project'],
      [ana, { projects: [one.projectId, two.projectId] }, 'projects', 'field.own_project'],
      [ana, { ...run, templates: [first, second] }, 'templates', 'field.own_template'],
      [admin, { ...run, projects: [two.projectId], templates: [first] }, 'templates', 'field.own_template'],
    ] as const) {
      const answer = (await client.post('/user/tokens', limits)).json<{ field_codes: object }>();
      expect(answer.field_codes, JSON.stringify(limits)).toMatchObject({ [field]: { code } });
    }
    const { get } = await withToken(ana, { ...run, projects: [one.projectId], templates: [first] });
    expect((await get('/user/tokens')).json()).toMatchObject([
      { scopes: ['run'], projects: [{ id: one.projectId, name: 'One' }], templates: [{ id: first }] },
    ]);
  });

  it('metrics opens no live socket', async () => {
    const { server, admin, withToken } = await setUp(makeLocation);
    const { headers } = await withToken(admin, { scopes: ['metrics'] });
    const socket = new WebSocket(`${server.baseUrl.replace('http', 'ws')}/api/ws`, { headers });
    const [, answer] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number; resume(): void }];
    answer.resume();
    expect(answer.statusCode).toBe(403);
  });
});
