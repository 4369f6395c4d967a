import { ROUTE_TABLE, type RouteName, type RouteShape } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { drawSample } from '../../../../testing/sample.ts';
import { describeOneDatabase, type MakeLocation } from '../../testing/database/databases.ts';
import type { ValidRequest } from '../../testing/requests/request.ts';
import {
  PRINCIPALS,
  type Principal,
  RIGHTS,
  RIGHTS_ON_ONESELF,
  type Row,
} from '../../testing/requests/rights-matrix.ts';
import { ASKS_RUNNER, VALID_REQUESTS } from '../../testing/requests/valid-request.ts';
import { addMember, sampleProject } from '../../testing/sample-project.ts';
import { type Client, startTestServer } from '../../testing/test-server.ts';

const ROUTES = Object.entries(ROUTE_TABLE) as [RouteName, RouteShape][];
const STATUS = { '-': 401, x: 403, '0': 404, '9': 409 } as const;
const UNKNOWN_ID = 2_000_000_000;

const expected = (name: RouteName, row: Row, who: Principal): number => {
  const letter = row[PRINCIPALS.indexOf(who)] ?? '';
  if (letter in STATUS) return STATUS[letter as keyof typeof STATUS];
  // Without a connected runner, 503 means that the caller is permitted.
  return ASKS_RUNNER.includes(name) ? 503 : ROUTE_TABLE[name].status;
};

const setUp = async (makeLocation: MakeLocation, settings: Record<string, string> = {}) => {
  const server = await startTestServer(await makeLocation(), settings);
  const admin = await server.signIn();
  const sample = await sampleProject(admin);
  const foreign = await sampleProject(admin, 'Foreign');
  const { projectId } = sample;
  // The user who created the project owns it, so the admin of the matrix is not a member.
  const root = { name: 'Root', username: 'root', email: 'root@example.com', password: 'a password', admin: true };
  await admin.post('/users', root);
  const principals: Record<Principal, Client> = {
    anonymous: server.anonymous,
    outsider: await addMember(server, 'outsider'),
    guest: await addMember(server, 'guest', { projectId, role: 'guest' }),
    task_runner: await addMember(server, 'task_runner', { projectId, role: 'task_runner' }),
    manager: await addMember(server, 'manager', { projectId, role: 'manager' }),
    owner: await addMember(server, 'owner', { projectId, role: 'owner' }),
    admin: await server.signIn('root', 'a password'),
  };
  type Params = Record<string, number | string>;
  const call = (client: Client, name: RouteName, params: Params, body?: object, { before = '', after = '' } = {}) => {
    const { method, path } = ROUTE_TABLE[name];
    const url = `${before}/api${path.replaceAll(/\{(\w+)\}/g, (_, param: string) => String(params[param] ?? 'missing'))}${after}`;
    return client.send({ method, url, ...(body === undefined ? {} : { payload: body }) });
  };
  const names = PRINCIPALS.map((who) => [who, principals[who]] as const);
  return { server, admin, sample, foreign, principals: names, call };
};

/** Calls that change the caller's own rights come last. */
const LAST: readonly RouteName[] = ['leaveProject', 'signOut'];
const inOrder = drawSample('calls by role: rights', ROUTES, 70).toSorted(
  ([a], [b]) => LAST.indexOf(a) - LAST.indexOf(b),
);

describeOneDatabase('[S1] permissions', (makeLocation) => {
  it('match the published table for every call and every role', async () => {
    const { server, admin, sample, principals, call } = await setUp(makeLocation);
    for (const [name] of inOrder) {
      for (const [who, client] of principals) {
        // Each caller gets a new object, because every permitted call must succeed.
        const about = name === 'deleteProject' ? await sampleProject(admin, `${name} ${who}`) : sample;
        if (about !== sample && who !== 'admin' && who !== 'anonymous' && who !== 'outsider') {
          const users = (await admin.get('/users')).json<{ id: number; username: string }[]>();
          const user_id = users.find((user) => user.username === who)?.id;
          await admin.post(`${about.base}/users`, { user_id, role: who });
        }
        const request: ValidRequest = await VALID_REQUESTS[name]({ server, admin, sample }, `${name}-${who}`);
        const params = { project_id: about.projectId, ...request.params };
        const answer = await call(client, name, params, request.body);
        expect(answer.statusCode, `${name} by ${who}: ${answer.body}`).toBe(expected(name, RIGHTS[name], who));
      }
    }
  }, 120_000);

  it('allow users to do some things to themselves only', async () => {
    const { principals, call } = await setUp(makeLocation);
    for (const [name, row] of Object.entries(RIGHTS_ON_ONESELF) as [keyof typeof RIGHTS_ON_ONESELF, Row][]) {
      for (const [who, client] of principals) {
        const id = who === 'anonymous' ? 1 : (await client.get('/user')).json<{ id: number }>().id;
        const current_password = who === 'admin' ? 'a password' : `password of ${who}`;
        const changePassword = { password: 'my new one', current_password };
        const body = { updateUser: { name: `I am ${who}` }, changePassword };
        const answer = await call(
          client,
          name,
          { user_id: id },
          name in body ? body[name as keyof typeof body] : undefined,
        );
        expect(answer.statusCode, `${name} by ${who}: ${answer.body}`).toBe(expected(name, row, who));
      }
    }
  });

  it('[S2] answer ids of another project like unknown ids', async () => {
    const { server, admin, sample, foreign, principals, call } = await setUp(makeLocation);
    const ofProjects = ROUTES.filter(([, route]) => route.permission.kind === 'project');
    for (const [name, route] of drawSample('calls by role: ids of other projects', ofProjects, 40)) {
      const request = await VALID_REQUESTS[name]({ server, admin, sample: foreign }, `foreign ${name}`);
      const objects = Object.keys(route.params?.shape ?? {}).filter((param) => param !== 'project_id');
      for (const [who, client] of principals) {
        if (who === 'anonymous' || who === 'admin') continue;
        const body = route.body ? (request.body ?? {}) : undefined;
        const inForeign = await call(client, name, { project_id: foreign.projectId, ...request.params }, body);
        const inUnknown = await call(client, name, { project_id: UNKNOWN_ID, ...request.params }, body);
        expect(inForeign.statusCode, `${name} by ${who}`).toBe(404);
        expect(inForeign.body, `${name} by ${who}`).toBe(inUnknown.body);
        if (objects.length === 0) continue;
        const unknown = Object.fromEntries(objects.map((param) => [param, UNKNOWN_ID]));
        const foreignObject = await call(client, name, { ...request.params, project_id: sample.projectId }, body);
        const unknownObject = await call(client, name, { ...unknown, project_id: sample.projectId }, body);
        expect([403, 404], `${name} by ${who}: ${foreignObject.body}`).toContain(foreignObject.statusCode);
        expect(foreignObject.body, `${name} by ${who}`).toBe(unknownObject.body);
      }
    }
  }, 120_000);

  it('refuse malformed ids before anything else is read', async () => {
    const { principals, call } = await setUp(makeLocation);
    // The addresses of calls that need no sign-in have secrets in place of ids.
    const withIds = ROUTES.filter(([, { params, permission }]) => params && permission.kind !== 'anyone');
    for (const [name, route] of withIds) {
      const wrong = Object.fromEntries(Object.keys(route.params?.shape ?? {}).map((param) => [param, '1e3']));
      for (const [who, client] of principals) {
        const answer = await call(client, name, wrong, route.body ? {} : undefined);
        expect(answer.statusCode, `${name} by ${who}: ${answer.body}`).toBe(who === 'anonymous' ? 401 : 400);
      }
    }
  });

  it('are the same with a trailing slash, also behind the path of the public address', async () => {
    const settings = { SIGNALBOX_URL: 'https://tools.example/signalbox' };
    const { sample, principals, call } = await setUp(makeLocation, settings);
    for (const [name, route] of inOrder) {
      const unknown = Object.keys(route.params?.shape ?? {}).map((param) => [param, UNKNOWN_ID]);
      // Calls that delete or leave the project get an unknown id, because the next calls need the project.
      const isLast = name === 'leaveProject' || name === 'deleteProject';
      const params = { ...Object.fromEntries(unknown), project_id: isLast ? UNKNOWN_ID : sample.projectId };
      for (const [who, client] of principals) {
        const body = route.body ? {} : undefined;
        const plain = await call(client, name, params, body);
        for (const before of ['', '/signalbox']) {
          const answer = await call(client, name, params, body, { before, after: '/' });
          const what = `${name} by ${who} at ${before}: ${answer.body}`;
          expect(answer.statusCode, what).toBe(plain.statusCode);
          if (plain.statusCode >= 400) expect(answer.body, what).toBe(plain.body);
        }
      }
    }
  });

  it('[S3] hide possible secrets from guests and task runners, in the same shape of answer', async () => {
    const { server, admin, sample } = await setUp(makeLocation);
    const { base, projectId, keyId } = sample;
    await admin.post(`${base}/environment`, {
      name: 'Full',
      json: '{"password":"canary-1","port":22}',
      env: '{"TOKEN":"canary-2"}',
      secrets: [{ name: 'API_KEY', type: 'env', secret: 'canary-7' }],
    });
    await admin.post(`${base}/inventory`, {
      name: 'Full',
      type: 'static',
      inventory: 'h ansible_password=canary-3',
      ssh_key_id: keyId,
    });
    await admin.post(`${base}/repositories`, {
      name: 'Full',
      git_url: 'https://canary-4@git.example/x.git',
      git_branch: 'main',
      ssh_key_id: keyId,
    });
    await admin.post(`${base}/keys`, {
      name: 'Full',
      type: 'login_password',
      login_password: { login: 'canary-5', password: 'canary-6' },
    });
    const manager = await addMember(server, 'second manager', { projectId, role: 'manager' });
    for (const role of ['guest', 'task_runner'] as const) {
      const reader = await addMember(server, `second ${role}`, { projectId, role });
      for (const path of ['environment', 'inventory', 'repositories', 'keys']) {
        const [open, hidden] = [await manager.get(`${base}/${path}`), await reader.get(`${base}/${path}`)];
        expect(open.body).toContain('canary');
        expect(open.body).not.toMatch(/canary-[67]/);
        expect(hidden.body).not.toContain('canary');
        expect(hidden.json<object[]>().map(Object.keys)).toEqual(open.json<object[]>().map(Object.keys));
        for (const { id } of hidden.json<{ id: number }[]>()) {
          expect((await reader.get(`${base}/${path}/${id}`)).body).not.toContain('canary');
        }
      }
    }
    expect((await admin.get(`${base}/keys`)).body).not.toContain('canary-6');
  });

  it('end with the session', async () => {
    const { server } = await setUp(makeLocation);
    const client = await server.signIn();
    expect((await client.get('/user')).statusCode).toBe(200);
    expect((await client.post('/auth/logout')).statusCode).toBe(204);
    const answer = await client.get('/user');
    expect(answer.statusCode).toBe(401);
    // The marker cookie is cleared too. Otherwise page and server would redirect to each other forever.
    expect(answer.cookies.find(({ name }) => name === 'signalbox_signed_in')?.value).toBe('');
  });
});
