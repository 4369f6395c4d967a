import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { hashToken } from '../../secrets/token.ts';
import { describeOneDatabase } from '../../testing/database/databases.ts';
import { addMember, sampleProject } from '../../testing/sample-project.ts';
import { TestClock } from '../../testing/test-clock.ts';
import { startTestServer } from '../../testing/test-server.ts';

interface Token {
  readonly id: string;
  readonly token: string;
  readonly prefix: string;
}

describeOneDatabase('an API token', (makeLocation) => {
  it('has the rights of its user until it is revoked', async () => {
    const server = await startTestServer(await makeLocation());
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
    // A token takes precedence over the session cookie of a user with more rights.
    expect((await ask('GET', '/user', { cookie: admin.cookie })).json()).toMatchObject({ username: 'guest' });
    expect((await guest.del(`/user/tokens/${prefix}`)).statusCode).toBe(204);
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

  it('[S3] is shown once, and its stored form cannot be used', async () => {
    const server = await startTestServer(await makeLocation());
    const admin = await server.signIn();
    const { id, token, prefix } = (await admin.post('/user/tokens', {})).json<Token>();
    // Clients of Semaphore UI read the new token from this field.
    expect(id).toBe(token);
    expect((await admin.get('/user/tokens')).json()).toEqual([
      {
        id: prefix,
        user_id: 1,
        name: 'API token',
        prefix,
        created: expect.any(String),
        last_used: null,
        last_address: '',
        scopes: ['everything'],
        projects: null,
        templates: null,
        expires_at: null,
        expired: false,
      },
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

  it('shows when and from where it was used, written at most once a minute', async () => {
    const clock = new TestClock('2026-11-23T10:00:00.000Z');
    const server = await startTestServer(await makeLocation(), { SIGNALBOX_TRUSTED_PROXIES: '127.0.0.1' }, clock);
    const admin = await server.signIn();
    const { token } = (await admin.post('/user/tokens', {})).json<Token>();
    const use = (from: string) =>
      server.anonymous.send({
        method: 'GET',
        url: '/api/user',
        headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': from },
      });
    const shown = async () => {
      const [one] = (await admin.get('/user/tokens')).json<{ last_used: string; last_address: string }[]>();
      return one && [one.last_used.slice(14, 19), one.last_address];
    };
    await Promise.all([use('10.0.0.1'), use('10.0.0.1')]);
    expect(await shown()).toEqual(['00:00', '10.0.0.1']);
    clock.step(59_000);
    await use('10.0.0.2');
    expect(await shown()).toEqual(['00:00', '10.0.0.1']);
    clock.step(1_000);
    await use('10.0.0.2');
    expect(await shown()).toEqual(['01:00', '10.0.0.2']);
  });

  it('[S11] is recorded with every event that it causes, also after it was revoked', async () => {
    const server = await startTestServer(await makeLocation());
    const admin = await server.signIn();
    const { token } = (await admin.post('/user/tokens', { name: 'deploys' })).json<Token>();
    const headers = { authorization: `Bearer ${token}` };
    await server.anonymous.send({ method: 'POST', url: '/api/projects', headers, payload: { name: 'By token' } });
    await admin.post('/projects', { name: 'By hand' });
    await admin.del(`/user/tokens/${token}`);
    const rows = await server.storage.database.read
      .selectFrom('event')
      .select(['token_id', 'token_name', 'address'])
      .where('kind', '=', 'project.created')
      .orderBy('id')
      .execute();
    expect(rows).toEqual([
      { token_id: 1, token_name: 'deploys', address: '127.0.0.1' },
      { token_id: null, token_name: '', address: '127.0.0.1' },
    ]);
  });

  it('of an earlier version keeps all rights of its user', async () => {
    const server = await startTestServer(await makeLocation());
    const token = 'sbx_of-an-earlier-version';
    const columns = { user_id: 1, name: 'Old', prefix: 'sbx_of-an-', created: '', last_used: null };
    const { autocommit } = server.storage.database;
    await autocommit
      .insertInto('api_token')
      .values({ ...columns, token_hash: hashToken(token) })
      .execute();
    const headers = { authorization: `Bearer ${token}` };
    const made = await server.anonymous.send({
      ...{ method: 'POST', url: '/api/projects', headers, payload: { name: 'New' } },
    });
    expect(made.statusCode).toBe(201);
  });

  it('[S2] can be seen and revoked by its user only', async () => {
    const server = await startTestServer(await makeLocation());
    const admin = await server.signIn();
    const ana = await addMember(server, 'ana');
    const { id } = (await ana.post('/user/tokens', { name: 'hers' })).json<Token>();
    expect((await admin.get('/user/tokens')).json()).toEqual([]);
    const [foreign, unknown] = [await admin.del(`/user/tokens/${id}`), await admin.del('/user/tokens/sbx_unknown')];
    expect(foreign.statusCode).toBe(404);
    expect(foreign.body).toBe(unknown.body);
    expect((await ana.get('/user/tokens')).json<object[]>()).toHaveLength(1);
  });

  it('stops working when it expires, also on an open live socket', async () => {
    const clock = new TestClock('2026-11-23T10:00:00.000Z');
    const server = await startTestServer(await makeLocation(), {}, clock);
    const admin = await server.signIn();
    for (const expires_at of ['2026-11-23T09:59:59Z', '2026-11-23T10:00:00Z', 'tomorrow', '2026-11-24', 5, false]) {
      const refused = await admin.post('/user/tokens', { expires_at });
      expect(refused.json(), String(expires_at)).toMatchObject({ fields: { expires_at: expect.any(String) } });
    }
    for (const expires_at of [null, '', undefined])
      expect((await admin.post('/user/tokens', { expires_at })).json()).toMatchObject({ expires_at: null });
    const made = await admin.post('/user/tokens', { name: 'short', expires_at: '2026-11-23T12:00:00+01:00' });
    expect(made.json()).toMatchObject({ expires_at: '2026-11-23T11:00:00.000Z', expired: false });
    const headers = { authorization: `Bearer ${made.json<Token>().token}` };
    const ask = () => server.anonymous.send({ method: 'GET', url: '/api/user', headers });
    expect((await ask()).statusCode).toBe(200);
    const socket = new WebSocket(`${server.baseUrl.replace('http', 'ws')}/api/ws`, { headers });
    onTestFinished(() => socket.terminate());
    await once(socket, 'open');
    const closed = once(socket, 'close');
    clock.step(3_600_000);
    expect((await ask()).statusCode).toBe(401);
    expect(await closed).toEqual([1008, expect.anything()]);
    expect((await admin.get('/user/tokens')).json<object[]>().at(-1)).toMatchObject({ name: 'short', expired: true });
  });

  it('[S8] opens a live socket that is closed when the token is revoked', async () => {
    const server = await startTestServer(await makeLocation());
    const admin = await server.signIn();
    const { id, token } = (await admin.post('/user/tokens', {})).json<Token>();
    const listen = (authorization: string): WebSocket => {
      const socket = new WebSocket(`${server.baseUrl.replace('http', 'ws')}/api/ws`, { headers: { authorization } });
      // The library reports a refusal as an error. The test checks the answer.
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
