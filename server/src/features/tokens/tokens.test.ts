import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { describeEachDatabase } from '../../testing/databases.ts';
import { addMember, sampleProject } from '../../testing/sample-project.ts';
import { startTestServer } from '../../testing/test-server.ts';

interface Token {
  readonly id: number;
  readonly token: string;
  readonly prefix: string;
}

describeEachDatabase('an API token', (makePlace) => {
  it('carries the rights of its user until it is revoked', async () => {
    const server = await startTestServer(await makePlace());
    const admin = await server.signIn();
    const { base, projectId } = await sampleProject(admin);
    const guest = await addMember(server, 'guest', { projectId, role: 'guest' });
    const created = await guest.post('/user/tokens', { name: 'for scripts' });
    expect(created.statusCode).toBe(201);
    const { id, token, prefix } = created.json<Token & Record<string, unknown>>();
    expect(token.startsWith(prefix)).toBe(true);
    const authorization = `Bearer ${token}`;
    const ask = (method: 'GET' | 'POST', url: string, more: Record<string, string> = {}) =>
      server.anonymous.send({
        method,
        url: `/api${url}`,
        headers: { authorization, ...more },
        ...(method === 'POST' ? { payload: {} } : {}),
      });
    expect((await ask('GET', '/user')).json()).toMatchObject({ username: 'guest' });
    expect((await ask('GET', `${base}/templates`)).statusCode).toBe(200);
    expect((await ask('POST', `${base}/views`)).statusCode).toBe(403);
    // Whoever sends a token means it, also beside the cookie of somebody with more rights.
    expect((await ask('GET', '/user', { cookie: admin.cookie })).json()).toMatchObject({ username: 'guest' });
    expect((await guest.del(`/user/tokens/${id}`)).statusCode).toBe(204);
    expect((await ask('GET', '/user')).statusCode).toBe(401);
    expect((await ask('GET', '/user', { cookie: admin.cookie })).statusCode).toBe(401);
    expect((await guest.del(`/user/tokens/${id}`)).statusCode).toBe(404);
    for (const header of ['Bearer', 'Bearer ', 'Basic YTpi', 'Bearer x y', `bearer  ${token}x`]) {
      const answer = await server.anonymous.send({
        method: 'GET',
        url: '/api/user',
        headers: { authorization: header },
      });
      expect(answer.statusCode, header).toBe(401);
    }
  });

  it('[S3] is shown once, and stored so that nobody can use what is stored', async () => {
    const server = await startTestServer(await makePlace());
    const admin = await server.signIn();
    const { id, token, prefix } = (await admin.post('/user/tokens', {})).json<Token>();
    expect((await admin.get('/user/tokens')).json()).toEqual([
      { id, name: 'API token', prefix, created: expect.any(String), last_used: null },
    ]);
    await server.anonymous.send({ method: 'GET', url: '/api/user', headers: { authorization: `Bearer ${token}` } });
    expect((await admin.get('/user/tokens')).json<{ last_used: string }[]>()[0]?.last_used).toMatch(/Z$/);
    const { read } = server.storage.database;
    const stored = JSON.stringify([
      await read.selectFrom('api_token').selectAll().execute(),
      await read.selectFrom('event').selectAll().execute(),
    ]);
    expect(stored).not.toContain(token);
    expect((await admin.get('/events/last')).json<{ description: string }[]>()[0]?.description).toBe(
      'API token API token created',
    );
  });

  it('[S2] is nobody else’s to see or to revoke', async () => {
    const server = await startTestServer(await makePlace());
    const admin = await server.signIn();
    const ana = await addMember(server, 'ana');
    const { id } = (await ana.post('/user/tokens', { name: 'hers' })).json<Token>();
    expect((await admin.get('/user/tokens')).json()).toEqual([]);
    const [foreign, unknown] = [await admin.del(`/user/tokens/${id}`), await admin.del('/user/tokens/2000000000')];
    expect(foreign.statusCode).toBe(404);
    expect(foreign.body).toBe(unknown.body);
    expect((await ana.get('/user/tokens')).json<object[]>()).toHaveLength(1);
  });

  it('[S8] opens a live socket that ends with it', async () => {
    const server = await startTestServer(await makePlace());
    const admin = await server.signIn();
    const { id, token } = (await admin.post('/user/tokens', {})).json<Token>();
    const listen = (authorization: string): WebSocket => {
      const socket = new WebSocket(`${server.baseUrl.replace('http', 'ws')}/api/ws`, { headers: { authorization } });
      // A refusal is an error to the library; what counts is the answer.
      socket.on('error', () => undefined);
      onTestFinished(() => socket.terminate());
      return socket;
    };
    const socket = listen(`Bearer ${token}`);
    await once(socket, 'open');
    await admin.del(`/user/tokens/${id}`);
    const [code] = (await once(socket, 'close')) as [number];
    expect(code).toBe(1008);
    const [, refusal] = (await once(listen(`Bearer ${token}`), 'unexpected-response')) as [
      unknown,
      { statusCode: number },
    ];
    expect(refusal.statusCode).toBe(401);
  });
});
