import { ROUTE_TABLE, type RouteName, type RouteShape } from '@signalbox/contract';
import { expect, it } from 'vitest';
import WebSocket from 'ws';
import { describeOneDatabase } from '../../testing/database/databases.ts';
import { eventTexts } from '../../testing/event-texts.ts';
import { codeAt, giveFactor } from '../../testing/given-factor.ts';
import { addMember } from '../../testing/sample-project.ts';
import { TestClock } from '../../testing/test-clock.ts';
import { ADMIN_PASSWORD, type Client, startTestServer, type TestServer } from '../../testing/test-server.ts';

const MINUTE = 60_000;
const START = '2026-11-22T10:00:00.000Z';
const REQUIRED = { SIGNALBOX_SECOND_FACTOR: 'required' };
const JANE = { auth: 'jane', password: 'password of jane' };

/** Signs in with the password only. @returns a client with the cookie that waits for the code */
const enterPassword = async (server: TestServer, login = JANE): Promise<Client> => {
  const answer = await server.anonymous.post('/auth/login', login);
  const cookie = answer.cookies.find(({ name }) => name === 'signalbox_sign_in')?.value;
  expect(cookie, answer.body).toBeDefined();
  return server.clientOf(`signalbox_sign_in=${cookie}`);
};

/** Sends a code for the sign-in of a client. @returns the status of the answer */
const sendCode = async (browser: Client, remoteAddress = '192.0.2.1', code = '000000'): Promise<number> => {
  const options = { method: 'POST', url: '/api/auth/second-factor', payload: { code }, remoteAddress } as const;
  return (await browser.send(options)).statusCode;
};

describeOneDatabase('limit for wrong codes', (makeLocation) => {
  it('[S9] allows 5 wrong codes in 15 minutes for one account, from any number of addresses and sign-ins', async () => {
    const clock = new TestClock(START);
    const server = await startTestServer(await makeLocation(), {}, clock);
    await addMember(server, 'jane');
    const { secret } = await giveFactor(server, 'jane');
    const browsers = await Promise.all([1, 2, 3].map(() => enterPassword(server)));
    const tries = Array.from({ length: 9 }, (_, n) => sendCode(browsers[n % 3] as Client, `192.0.2.${n}`));
    const statuses = await Promise.all(tries);
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(4);
    // A blocked account refuses even the right code.
    const right = () => codeAt(secret, clock.now());
    expect(await sendCode(browsers[0] as Client, '198.51.100.1', right())).toBe(429);
    clock.pass(15 * MINUTE);
    expect(await sendCode(await enterPassword(server), '198.51.100.1', right())).toBe(204);
  });

  it('[S9] counts wrong codes and passwords that are sent by a signed-in user', async () => {
    const clock = new TestClock(START);
    const server = await startTestServer(await makeLocation(), {}, clock);
    const jane = await addMember(server, 'jane');
    for (let n = 0; n < 5; n++)
      expect((await jane.post('/user/second-factor', { current_password: 'wrong' })).statusCode).toBe(400);
    expect((await jane.post('/user/second-factor', { current_password: JANE.password })).statusCode).toBe(429);
    await giveFactor(server, 'jane');
    clock.pass(15 * MINUTE);
    const off = (code: string) => jane.post('/user/second-factor/off', { current_password: JANE.password, code });
    for (let n = 0; n < 5; n++) expect((await off('000000')).statusCode).toBe(400);
    expect((await off('000000')).statusCode).toBe(429);
  });
});

describeOneDatabase('second factor of an account', (makeLocation) => {
  it('is set up with the password, not by an API token, and must be confirmed within 15 minutes', async () => {
    const clock = new TestClock(START);
    const server = await startTestServer(await makeLocation(), {}, clock);
    const jane = await addMember(server, 'jane');
    const { token } = (await jane.post('/user/tokens', { name: 'x' })).json<{ token: string }>();
    const proof = { current_password: JANE.password };
    for (const path of ['', '/confirm', '/off', '/recovery-codes']) {
      const answer = await server.anonymous.send({
        method: 'POST',
        url: `/api/user/second-factor${path}`,
        headers: { authorization: `Bearer ${token}` },
        payload: { ...proof, code: '000000' },
      });
      expect(answer.statusCode, path).toBe(403);
      expect(answer.json(), path).toMatchObject({ error: expect.stringContaining("An API token can't do this") });
    }
    expect((await jane.post('/user/second-factor', {})).json()).toMatchObject({
      fields: { current_password: 'is required' },
    });
    const { secret } = (await jane.post('/user/second-factor', proof)).json<{ secret: string }>();
    clock.pass(16 * MINUTE);
    const later = await jane.post('/user/second-factor/confirm', { code: codeAt(secret, clock.now()) });
    expect(later.json()).toMatchObject({
      code: 'conflict.second_factor_not_begun',
      error: 'There is nothing to confirm: start the setup again.',
    });
  });

  it('is turned off with password and code or by an administrator, while API tokens keep working', async () => {
    const clock = new TestClock(new Date().toISOString());
    const server = await startTestServer(await makeLocation(), {}, clock);
    const admin = await server.signIn();
    const jane = await addMember(server, 'jane');
    const { id } = (await jane.get('/user')).json<{ id: number }>();
    const { token } = (await jane.post('/user/tokens', { name: 'x' })).json<{ token: string }>();
    const byToken = () =>
      server.anonymous.send({ method: 'GET', url: '/api/user', headers: { authorization: `Bearer ${token}` } });
    const first = await giveFactor(server, 'jane');
    expect((await byToken()).json()).toMatchObject({ second_factor: 'on' });
    const off = (current_password: string, code: string) =>
      jane.post('/user/second-factor/off', { current_password, code });
    expect((await off('wrong', first.code(clock.now()))).json()).toMatchObject({
      fields: { current_password: expect.any(String) },
    });
    expect((await off(JANE.password, '000000')).json()).toMatchObject({ fields: { code: expect.any(String) } });
    expect((await off(JANE.password, first.code(clock.now()))).statusCode).toBe(204);
    expect((await off(JANE.password, first.code(clock.now()))).statusCode).toBe(409);
    const again = await server.signIn(JANE.auth, JANE.password);

    await giveFactor(server, 'jane');
    const waiting = await enterPassword(server);
    expect((await admin.get('/users?sort=second_factor')).json()).toEqual([
      expect.objectContaining({ username: 'admin', second_factor: 'off' }),
      expect.objectContaining({ username: 'jane', second_factor: 'on' }),
    ]);
    expect((await admin.del(`/users/${id}/second-factor`)).statusCode).toBe(204);
    expect((await admin.del(`/users/${id}/second-factor`)).statusCode).toBe(409);
    expect((await again.get('/user')).statusCode).toBe(401);
    expect(await sendCode(waiting)).toBe(401);
    expect((await byToken()).json()).toMatchObject({ second_factor: 'off' });
    await server.signIn(JANE.auth, JANE.password);
    await giveFactor(server, 'admin');
    const own = (await admin.get('/user')).json<{ id: number }>();
    expect((await admin.del(`/users/${own.id}/second-factor`)).statusCode).toBe(403);
    expect(await eventTexts(server.storage.database.read)).toEqual(
      expect.arrayContaining(['Second factor of jane turned off', 'Second factor of jane reset']),
    );
  });

  it('cannot be set up by a user who signs in with a provider', async () => {
    const server = await startTestServer(await makeLocation());
    const jane = await addMember(server, 'jane');
    await server.storage.database.autocommit
      .updateTable('users')
      .set({ external: 1 })
      .where('username', '=', 'jane')
      .execute();
    const begun = await jane.post('/user/second-factor', { current_password: JANE.password });
    expect(begun.json()).toMatchObject({
      error: 'You sign in with a provider: set up a second factor there.',
    });
  });
});

const ROUTES = Object.entries(ROUTE_TABLE) as [RouteName, RouteShape][];

/** The status of a live connection attempt. */
const liveStatus = (server: TestServer, cookie: string): Promise<number | undefined> => {
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  const socket = new WebSocket(`${server.address.replace('http', 'ws')}/api/ws`, { headers: { cookie } });
  socket.on('open', () => {
    socket.close();
    resolve(101);
  });
  socket.on('unexpected-response', (_request, { statusCode }) => resolve(statusCode));
  socket.on('error', () => resolve(undefined));
  return promise;
};

describeOneDatabase('a required second factor', (makeLocation) => {
  it('must be set up before any other call, also in a session that began before it was required', async () => {
    const location = await makeLocation();
    const before = await startTestServer(location);
    const old = await addMember(before, 'jane');
    const { token } = (await old.post('/user/tokens', { name: 'x' })).json<{ token: string }>();
    await before.stop();
    const server = await startTestServer(location, REQUIRED);
    const session = server.clientOf(old.cookie);
    expect((await session.get('/user')).json()).toMatchObject({ second_factor: 'due' });
    const free: string[] = [];
    for (const [name, route] of ROUTES.filter(([, { permission }]) => permission.kind !== 'anyone')) {
      const url = `/api${route.path.replaceAll(/\{\w+\}/g, '1')}`;
      const answer = await session.send({ method: route.method, url, ...(route.body ? { payload: {} } : {}) });
      if (answer.statusCode !== 403) free.push(name);
      else
        expect(answer.json(), name).toMatchObject({ code: 'second_factor_due', error: expect.stringMatching(/^This/) });
    }
    expect(free.toSorted()).toEqual(['beginSecondFactor', 'confirmSecondFactor', 'currentUser', 'getSecondFactor']);
    expect(await liveStatus(server, old.cookie)).toBe(401);
    // Programs cannot enter codes, so API tokens keep working.
    const headers = { authorization: `Bearer ${token}` };
    expect((await server.anonymous.send({ method: 'GET', url: '/api/projects', headers })).statusCode).toBe(200);
    expect((await session.post('/auth/logout')).statusCode).toBe(204);
  });

  it('gives a new session access when it is set up, and takes the access away when it is turned off', async () => {
    const clock = new TestClock(START);
    const server = await startTestServer(await makeLocation(), REQUIRED, clock);
    const admin = await server.signIn();
    expect((await admin.get('/projects')).statusCode).toBe(403);
    const { secret } = (await admin.post('/user/second-factor', { current_password: ADMIN_PASSWORD })).json<{
      secret: string;
    }>();
    const code = () => codeAt(secret, clock.now());
    expect((await admin.post('/user/second-factor/confirm', { code: code() })).statusCode).toBe(200);
    expect((await admin.get('/projects')).statusCode).toBe(200);
    expect(await liveStatus(server, admin.cookie)).toBe(101);
    clock.pass(MINUTE);
    const off = { current_password: ADMIN_PASSWORD, code: code() };
    expect((await admin.post('/user/second-factor/off', off)).statusCode).toBe(204);
    expect((await admin.get('/projects')).statusCode).toBe(403);
    expect(await liveStatus(server, admin.cookie)).toBe(401);
  });

  it('is not asked for while the server has second factors turned off', async () => {
    const location = await makeLocation();
    const before = await startTestServer(location);
    await addMember(before, 'jane');
    const { code } = await giveFactor(before, 'jane');
    await before.stop();
    const off = await startTestServer(location, { SIGNALBOX_SECOND_FACTOR: 'off' });
    const jane = await off.signIn(JANE.auth, JANE.password);
    expect((await jane.get('/user')).json()).toMatchObject({ second_factor: 'off' });
    expect((await (await off.signIn()).post('/user/second-factor', { current_password: 'x' })).json()).toMatchObject({
      error: 'Second factors are turned off on this server.',
    });
    await off.stop();
    const again = await startTestServer(location);
    expect(await sendCode(await enterPassword(again), '192.0.2.1', code())).toBe(204);
  });
});
