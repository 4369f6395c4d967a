import { holds, ROLES, ROUTE_TABLE, type RouteName, type RouteShape } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { describeEachDatabase } from '../testing/databases.ts';
import { addMember, sampleProject } from '../testing/sample-project.ts';
import { type Client, startTestServer } from '../testing/test-server.ts';

/** Signing out comes last: it ends the sessions that the others need. */
const ROUTES = (Object.entries(ROUTE_TABLE) as [RouteName, RouteShape][]).toSorted(
  ([a], [b]) => Number(a === 'signOut') - Number(b === 'signOut'),
);
type Principal = 'anonymous' | 'outsider' | 'guest' | 'task_runner' | 'manager' | 'owner' | 'admin';

/** What a principal without the right must get; undefined where the call is theirs to make. */
const refusal = ({ permission }: RouteShape, who: Principal): number | undefined => {
  if (permission.kind === 'anyone') return undefined;
  if (who === 'anonymous') return 401;
  if (who === 'admin' || permission.kind === 'user') return undefined;
  if (permission.kind === 'create_project' || permission.kind === 'admin') return 403;
  if (who === 'outsider') return 404;
  return permission.right && !holds(ROLES[who].permissions, permission.right) ? 403 : undefined;
};

describeEachDatabase('[S1] rights', (makePlace) => {
  it('are those of the route table, for every call and every principal', async () => {
    const server = await startTestServer(await makePlace());
    const admin = await server.signIn();
    const sample = await sampleProject(admin);
    const { projectId } = sample;
    await sample.template();
    const principals: Record<Principal, Client> = {
      anonymous: server.anonymous,
      outsider: await addMember(server, 'outsider'),
      guest: await addMember(server, 'guest', { projectId, role: 'guest' }),
      task_runner: await addMember(server, 'runner', { projectId, role: 'task_runner' }),
      manager: await addMember(server, 'manager', { projectId, role: 'manager' }),
      owner: await addMember(server, 'owner', { projectId, role: 'owner' }),
      admin,
    };
    for (const [name, route] of ROUTES) {
      const url = `/api${route.path.replaceAll(/\{(\w+)\}/g, (_, param: string) => String(param === 'project_id' ? projectId : 1))}`;
      for (const [who, client] of Object.entries(principals) as [Principal, Client][]) {
        // An empty body is refused by whoever may make the call, so that nothing changes between principals.
        const answer = await client.send({ method: route.method, url, ...(route.body ? { payload: {} } : {}) });
        const expected = refusal(route, who);
        if (expected === undefined)
          expect([401, 403], `${name} by ${who}: ${answer.body}`).not.toContain(answer.statusCode);
        else expect(answer.statusCode, `${name} by ${who}: ${answer.body}`).toBe(expected);
      }
    }
  });

  it('[S3] hide from guests and task runners what may be secret, in the same shape', async () => {
    const server = await startTestServer(await makePlace());
    const admin = await server.signIn();
    const { base, projectId, keyId } = await sampleProject(admin);
    await admin.post(`${base}/environment`, {
      name: 'Full',
      json: '{"password":"canary-1","port":22}',
      env: '{"TOKEN":"canary-2"}',
    });
    await admin.post(`${base}/inventory`, {
      name: 'Full',
      type: 'static',
      inventory: 'h ansible_password=canary-3',
      ssh_key_id: keyId,
    });
    await admin.post(`${base}/repositories`, {
      name: 'Full',
      git_url: 'https://me:canary-4@git.example/x.git',
      git_branch: 'main',
      ssh_key_id: keyId,
    });
    await admin.post(`${base}/keys`, {
      name: 'Full',
      type: 'login_password',
      login_password: { login: 'canary-5', password: 'canary-6' },
    });
    const guest = await addMember(server, 'guest', { projectId, role: 'guest' });
    const manager = await addMember(server, 'manager', { projectId, role: 'manager' });
    for (const path of ['environment', 'inventory', 'repositories']) {
      const [open, hidden] = [await manager.get(`${base}/${path}`), await guest.get(`${base}/${path}`)];
      expect(open.body).toContain('canary');
      expect(hidden.body).not.toContain('canary');
      expect(hidden.json<object[]>().map(Object.keys)).toEqual(open.json<object[]>().map(Object.keys));
    }
    expect((await admin.get(`${base}/keys`)).body).not.toContain('canary');
  });

  it('end with the session', async () => {
    const server = await startTestServer(await makePlace());
    const client = await server.signIn();
    expect((await client.get('/user')).statusCode).toBe(200);
    expect((await client.post('/auth/logout')).statusCode).toBe(204);
    const answer = await client.get('/user');
    expect(answer.statusCode).toBe(401);
    // The marker goes with it, so that page and server do not send each other round in circles.
    expect(answer.cookies.find(({ name }) => name === 'signalbox_signed_in')?.value).toBe('');
  });
});
