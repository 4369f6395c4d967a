import type { System } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { STATE_STEPS } from '../database/migrate.ts';
import { describeRemoteDatabase, describeRemoteEmptyDatabase } from '../testing/database/databases.ts';
import { giveFactor } from '../testing/given-factor.ts';
import { addMember } from '../testing/sample-project.ts';
import { failed, startSignOn, whoIs } from '../testing/sign-on.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { twoServers } from '../testing/two-servers.ts';

describeRemoteDatabase('sign-ins at two servers of one database', (makeLocation) => {
  it('[S9] continue at the other server, and share the count of wrong codes', async () => {
    const { first, second } = await twoServers(makeLocation);
    const servers = [first, second];
    await addMember(first, 'jane');
    const { code } = await giveFactor(first, 'jane');
    const begin = async (server: TestServer): Promise<string> => {
      const answer = await server.anonymous.post('/auth/login', { auth: 'jane', password: 'password of jane' });
      return `signalbox_sign_in=${answer.cookies.find(({ name }) => name === 'signalbox_sign_in')?.value}`;
    };
    const send = async (server: TestServer, cookie: string, text: string) =>
      (await server.clientOf(cookie).post('/auth/second-factor', { code: text })).statusCode;
    expect(await send(second, await begin(first), code())).toBe(204);
    const cookie = await begin(first);
    const wrong = await Promise.all(
      Array.from({ length: 8 }, (_, n) => send(servers[n % 2] as TestServer, cookie, '000000')),
    );
    expect(wrong.filter((status) => status === 401)).toHaveLength(5);
    expect(wrong.filter((status) => status === 429)).toHaveLength(3);
    for (const server of servers) expect(await send(server, cookie, code())).toBe(429);
  });

  it('finish a sign-on that the other server began, and refuse its callback the second time', async () => {
    const { server, startSecond, thereAndBack, finish } = await startSignOn(makeLocation);
    const second = await startSecond();
    const jar = new Map<string, string>();
    const callback = await thereAndBack(jar, { login: 'mara' });
    const copy = new Map(jar);
    expect(await finish(jar, callback, second)).toBe('/box/');
    const client = server.clientOf([...jar].map(([name, value]) => `${name}=${value}`).join('; '));
    expect(await whoIs(client)).toMatchObject({ username: 'mara' });
    expect(await finish(copy, callback, server)).toBe(failed('used'));
  });
});

describeRemoteDatabase('servers of one database describe themselves', (makeLocation) => {
  it('to each other, until one ends', async () => {
    const { first, second, admin } = await twoServers(makeLocation);
    const read = async (path = '/system') => (await admin.get(path)).json<System>();
    await expect.poll(async () => (await read()).servers.map(({ runners }) => runners)).toEqual([1, 0]);
    const { servers, notices } = await read();
    expect(servers.map(({ answered }) => answered)).toEqual([false, true]);
    expect(servers[0]).toMatchObject({ pid: process.pid, notices_reopened: null });
    const ids = servers.map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
    const own = (await first.signIn()).get('/system');
    const seenByFirst = (await own).json<System>().servers;
    expect(seenByFirst.map(({ id, answered }) => [id, answered])).toEqual([
      [ids[0], true],
      [ids[1], false],
    ]);
    expect(notices).toBe('connected');
    await first.stop();
    await expect.poll(async () => (await read()).servers.map(({ id }) => id)).toEqual(ids.slice(1));
    expect((await second.anonymous.get('/ready')).json()).toMatchObject({ runners: 0 });
  });
});

describeRemoteEmptyDatabase('two servers that start at the same moment', (makeLocation) => {
  it('[R13] migrate an empty database once, and create one administrator', async () => {
    const location = await makeLocation();
    const settings = { SIGNALBOX_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') };
    const servers = await Promise.all([1, 2, 3].map(() => startTestServer(location, settings)));
    for (const server of servers) expect((await server.anonymous.get('/ready')).statusCode).toBe(200);
    const admin = await (servers[2] as TestServer).signIn();
    expect((await admin.get('/system')).json<System>().database.migrations).toBe(Object.keys(STATE_STEPS).length);
    expect((await admin.get('/users')).json()).toHaveLength(1);
    const events = (await admin.get('/events')).json<{ kind: string }[]>();
    expect(events.filter(({ kind }) => kind.startsWith('user.created'))).toHaveLength(1);
  });
});
