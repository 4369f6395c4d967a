import { DAY_MS } from '@signalbox/contract/limits';
import { expect, it } from 'vitest';
import { hashPassword } from '../../secrets/password.ts';
import { describeOneEmptyDatabase } from '../../testing/database/databases.ts';
import { ADMIN_PASSWORD, startTestServer } from '../../testing/test-server.ts';

describeOneEmptyDatabase('signing in', (makeLocation) => {
  it('accepts the username or email address in any case, and sets both cookies', async () => {
    const { anonymous } = await startTestServer(await makeLocation(), { SIGNALBOX_ADMIN_EMAIL: 'Root@Example.com' });
    for (const auth of ['admin', 'ADMIN', 'root@example.COM']) {
      const answer = await anonymous.post('/auth/login', { auth, password: ADMIN_PASSWORD });
      expect(answer.statusCode, answer.body).toBe(204);
      expect(answer.cookies.find(({ name }) => name === 'signalbox_session')).toMatchObject({
        httpOnly: true,
        sameSite: 'Lax',
      });
      expect(answer.cookies.find(({ name }) => name === 'signalbox_signed_in')).not.toHaveProperty('httpOnly');
    }
  });

  it('[S9] answers known and unknown accounts alike, and slows guessing down', async () => {
    const { anonymous } = await startTestServer(await makeLocation());
    const attempt = (auth: string) => anonymous.post('/auth/login', { auth, password: 'wrong' });
    const known = await attempt('admin');
    const unknown = await attempt('nobody');
    expect(known.statusCode).toBe(401);
    expect(known.json()).toEqual(unknown.json());
    for (let n = 0; n < 4; n++) expect((await attempt('admin')).statusCode).toBe(401);
    const blocked = await attempt('admin');
    expect([blocked.statusCode, blocked.headers['retry-after']]).toEqual([429, '900']);
    // A blocked account refuses even the right password; other accounts from the address are not blocked.
    expect((await anonymous.post('/auth/login', { auth: 'admin', password: ADMIN_PASSWORD })).statusCode).toBe(429);
    expect((await attempt('nobody')).statusCode).toBe(401);
    // A login in the form of the internal key of an account must not reveal that account.
    for (const login of ['#1', '#2']) expect((await attempt(login)).statusCode).toBe(401);
  });

  it('[S9] counts by the address that a trusted proxy reports, and trusts no other client', async () => {
    const attempts = async (settings: Record<string, string>, forwarded: (n: number) => string) => {
      const server = await startTestServer(await makeLocation(), settings);
      const statuses: number[] = [];
      for (let n = 0; n < 7; n++) {
        const answer = await server.anonymous.send({
          method: 'POST',
          url: '/api/auth/login',
          remoteAddress: '10.1.2.3',
          headers: { 'x-forwarded-for': forwarded(n) },
          payload: { auth: 'admin', password: 'wrong' },
        });
        statuses.push(answer.statusCode);
      }
      return statuses;
    };
    const five = [401, 401, 401, 401, 401, 429, 429];
    const proxy = { SIGNALBOX_TRUSTED_PROXIES: '10.0.0.0/8' };
    expect(await attempts({}, (n) => `192.0.2.${n}`)).toEqual(five);
    expect(await attempts(proxy, (n) => `192.0.2.${n}`)).toEqual(Array(7).fill(401));
    // Values that a client writes come before the value that the proxy adds.
    expect(await attempts(proxy, (n) => `192.0.2.${n}, 198.51.100.7`)).toEqual(five);
  });

  it('[S9] counts the wrong passwords of an account under all of its names', async () => {
    const { anonymous } = await startTestServer(await makeLocation(), { SIGNALBOX_ADMIN_EMAIL: 'root@example.com' });
    const attempt = async (auth: string, password: string) =>
      (await anonymous.post('/auth/login', { auth, password })).statusCode;
    for (const auth of ['admin', 'ADMIN', 'root@example.com', 'Root@example.com', ' admin ']) {
      expect(await attempt(auth, 'wrong'), auth).toBe(401);
    }
    for (const auth of ['admin', 'root@example.com']) expect(await attempt(auth, ADMIN_PASSWORD), auth).toBe(429);
  });

  it('[S9] verifies one password for any login, whether or not the account exists or has one', async () => {
    const server = await startTestServer(await makeLocation());
    const admin = await server.signIn();
    const external = { name: 'Ext', username: 'ext', email: 'ext@example.com', external: true };
    expect((await admin.post('/users', external)).statusCode).toBe(201);
    const fastest = new Map<string, number>();
    // As many attempts as the throttle allows, because the fastest of a few depends on the load of the machine.
    for (const auth of Array.from({ length: 5 }, () => ['admin', 'ext', 'nobody']).flat()) {
      const since = performance.now();
      expect((await server.anonymous.post('/auth/login', { auth, password: 'wrong' })).statusCode).toBe(401);
      fastest.set(auth, Math.min(fastest.get(auth) ?? Number.POSITIVE_INFINITY, performance.now() - since));
    }
    const [least = 0, , most = 0] = [...fastest.values()].toSorted((a, b) => a - b);
    expect(most, JSON.stringify([...fastest])).toBeLessThan(least * 3);
  });

  it('accepts every correct password of many simultaneous ones', async () => {
    const { anonymous } = await startTestServer(await makeLocation());
    const attempts = Array.from({ length: 40 }, () =>
      anonymous.post('/auth/login', { auth: 'admin', password: ADMIN_PASSWORD }),
    );
    expect(new Set((await Promise.all(attempts)).map(({ statusCode }) => statusCode))).toEqual(new Set([204]));
  });

  it('clears the cookies with every refusal', async () => {
    const { anonymous } = await startTestServer(await makeLocation());
    const refused = await anonymous.post('/auth/login', { auth: 'admin', password: 'wrong' });
    expect(refused.statusCode).toBe(401);
    expect(refused.cookies.map(({ name, value }) => [name, value])).toEqual([
      ['signalbox_session', ''],
      ['signalbox_signed_in', ''],
    ]);
  });

  it('stores neither password nor token', async () => {
    const { signIn, storage } = await startTestServer(await makeLocation());
    const { cookie } = await signIn();
    const token = /signalbox_session=([^;]+)/.exec(cookie)?.[1];
    expect(token).toBeDefined();
    const stored = JSON.stringify([
      await storage.database.read.selectFrom('session').selectAll().execute(),
      await storage.database.read.selectFrom('users').selectAll().execute(),
      await storage.database.read.selectFrom('event').selectAll().execute(),
    ]);
    expect(stored).not.toContain(token);
    expect(stored).not.toContain(ADMIN_PASSWORD);
  });
});

describeOneEmptyDatabase('a session', (makeLocation) => {
  it('[S9] cannot be obtained by many simultaneous guesses', async () => {
    const { anonymous } = await startTestServer(await makeLocation());
    const guesses = Array.from({ length: 20 }, (_, n) =>
      anonymous.post('/auth/login', { auth: 'admin', password: `guess ${n}` }),
    );
    const statuses = (await Promise.all(guesses)).map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(15);
  });

  it('does not count correct passwords as guesses', async () => {
    const { signIn } = await startTestServer(await makeLocation());
    for (let n = 0; n < 35; n++) expect((await signIn()).cookie).toContain('signalbox_session=');
  });

  it('is extended with its cookies while it is used, and ends a week after its last use', async () => {
    const { signIn, storage } = await startTestServer(await makeLocation());
    const client = await signIn();
    const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
    const setExpires = (expires: string) =>
      storage.database.autocommit.updateTable('session').set({ expires }).execute();
    expect((await client.get('/user')).cookies).toEqual([]);
    await setExpires(inMs(60_000));
    const renewed = await client.get('/user');
    expect(renewed.statusCode).toBe(200);
    expect(renewed.cookies.map(({ name }) => name)).toEqual(['signalbox_session', 'signalbox_signed_in']);
    const week = 7 * DAY_MS;
    for (const { expires } of renewed.cookies) {
      expect(Math.abs((expires?.getTime() ?? 0) - Date.now() - week)).toBeLessThan(60_000);
    }
    await setExpires(inMs(-1));
    expect((await client.get('/user')).statusCode).toBe(401);
    await signIn();
    expect(await storage.database.read.selectFrom('session').select('id').execute()).toHaveLength(1);
  });

  it('[S8] is not created with a password that was changed while it was being verified', async () => {
    const { anonymous, storage } = await startTestServer(await makeLocation());
    const hash = await hashPassword('new');
    const pending = anonymous.post('/auth/login', { auth: 'admin', password: ADMIN_PASSWORD });
    const changed = storage.database.write(async (tx) => {
      await tx.updateTable('users').set({ password_hash: hash }).execute();
      await tx.deleteFrom('session').execute();
    });
    const answer = await pending;
    await changed;
    const session = answer.cookies.find(({ name }) => name === 'signalbox_session')?.value ?? '';
    const user = await anonymous.send({
      method: 'GET',
      url: '/api/user',
      headers: { cookie: `signalbox_session=${session}` },
    });
    expect(user.statusCode).toBe(401);
  });
});
