import { expect, it } from 'vitest';
import { describeEachDatabase, describeRemoteDatabase } from '../../testing/database/databases.ts';
import { TestClock } from '../../testing/test-clock.ts';
import { ADMIN_PASSWORD, startTestServer, type TestServer } from '../../testing/test-server.ts';
import { networkOf } from './client-network.ts';
import { SignInThrottle } from './sign-in.throttle.ts';

/** Servers that share a database need the same encryption key. */
const KEY = { SIGNALBOX_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') };
const wrong = () => Promise.resolve(false);

const signInFrom = async (server: TestServer, remoteAddress: string, password: string, auth = 'admin') => {
  const url = '/api/auth/login';
  const answer = await server.anonymous.send({ method: 'POST', url, remoteAddress, payload: { auth, password } });
  return answer.statusCode;
};

const blockAdmin = async (server: TestServer, from: string): Promise<void> => {
  for (let n = 0; n < 5; n++) expect(await signInFrom(server, from, 'wrong')).toBe(401);
  expect(await signInFrom(server, from, ADMIN_PASSWORD)).toBe(429);
};

describeEachDatabase('[S9] the counts of failed sign-ins', (makeLocation) => {
  it('survive calls that verify nothing, failures from other addresses, and a restart of the server', async () => {
    const location = await makeLocation();
    const server = await startTestServer(location);
    await blockAdmin(server, '192.0.2.1');
    for (let n = 0; n < 300; n++) {
      await server.anonymous.get(`/auth/oidc/provider-${n}/callback?state=${n}`);
    }
    const { database } = server.storage;
    expect(await database.read.selectFrom('sign_in_attempt').selectAll().execute()).toHaveLength(5);
    const throttle = new SignInThrottle(database, new TestClock(new Date().toISOString()));
    for (let n = 0; n < 300; n++) await throttle.attempt(`user ${n}`, `10.0.${n >> 8}.${n & 255}`, wrong);
    expect(await signInFrom(server, '192.0.2.1', ADMIN_PASSWORD)).toBe(429);
    await server.stop();
    const again = await startTestServer(location);
    expect(await signInFrom(again, '192.0.2.1', ADMIN_PASSWORD)).toBe(429);
    expect(await signInFrom(again, '192.0.2.2', ADMIN_PASSWORD)).toBe(204);
  });

  it('are per /64 network for IPv6 addresses', async () => {
    const server = await startTestServer(await makeLocation());
    for (let n = 0; n < 5; n++) expect(await signInFrom(server, `2001:db8:1:2::${n}`, 'wrong')).toBe(401);
    expect(await signInFrom(server, '2001:db8:1:2:ffff::1', ADMIN_PASSWORD)).toBe(429);
    expect(await signInFrom(server, '2001:db8:1:3::1', ADMIN_PASSWORD)).toBe(204);
  });

  it('expire after 15 minutes, even if the clock was set back meanwhile', async () => {
    const { storage } = await startTestServer(await makeLocation());
    const { database } = storage;
    const clock = new TestClock('2026-11-23T10:00:00.000Z');
    const throttle = new SignInThrottle(database, clock);
    const isLetIn = async () => (await throttle.attempt('a', '192.0.2.1', () => Promise.resolve(true))) === true;
    for (let n = 0; n < 5; n++) await throttle.attempt('a', '192.0.2.1', wrong);
    clock.pass(15 * 60_000 - 1000);
    expect(await isLetIn()).toBe(false);
    clock.pass(1000);
    expect(await isLetIn()).toBe(true);
    for (let n = 0; n < 5; n++) await throttle.attempt('a', '192.0.2.1', wrong);
    clock.step(-2 * 3600_000);
    clock.pass(60_000);
    expect(await isLetIn()).toBe(false);
    clock.pass(15 * 60_000);
    expect(await isLetIn()).toBe(true);
    expect(await database.read.selectFrom('sign_in_attempt').selectAll().execute()).toEqual([]);
  });

  it('contain neither typed logins nor addresses in plain text', async () => {
    const server = await startTestServer(await makeLocation());
    expect(await signInFrom(server, '192.0.2.1', 'wrong', 'my secret password')).toBe(401);
    const rows = JSON.stringify(await server.storage.database.read.selectFrom('sign_in_attempt').selectAll().execute());
    expect(rows).toMatch(/"pending":0/);
    expect(rows).not.toMatch(/my secret|192\.0\.2/);
  });

  it('include an attempt whose server died', async () => {
    const { storage } = await startTestServer(await makeLocation());
    const clock = new TestClock('2026-11-23T10:00:00.000Z');
    const never = new Promise<boolean>(() => undefined);
    const dead = new SignInThrottle(storage.database, clock);
    for (let n = 0; n < 5; n++) void dead.attempt('a', '192.0.2.1', () => never);
    const begun = () => storage.database.read.selectFrom('sign_in_attempt').selectAll().execute();
    await expect.poll(begun).toHaveLength(5);
    clock.pass(61_000);
    const alive = new SignInThrottle(storage.database, clock);
    expect(await alive.attempt('a', '192.0.2.1', () => Promise.resolve(true))).toBeUndefined();
  });
});

describeRemoteDatabase('[S9] several servers', (makeLocation) => {
  it('together admit as many simultaneous guesses as one, and every correct password', async () => {
    const location = await makeLocation();
    const servers = [await startTestServer(location, KEY), await startTestServer(location, KEY)];
    const each = (password: string, from: string) =>
      Promise.all(Array.from({ length: 24 }, (_, n) => signInFrom(servers[n % 2] as TestServer, from, password)));
    const guesses = await each('wrong', '192.0.2.1');
    expect(guesses.filter((status) => status === 401)).toHaveLength(5);
    expect(guesses.filter((status) => status === 429)).toHaveLength(19);
    expect(await each(ADMIN_PASSWORD, '192.0.2.2')).toEqual(Array(24).fill(204));
  });
});

it('sign-in attempts are counted by the network of an address', () => {
  expect(networkOf('192.0.2.1')).toBe('192.0.2.1');
  expect(networkOf('::ffff:192.0.2.1')).toBe('192.0.2.1');
  expect(networkOf('2001:DB8::1')).toBe('2001:db8:0:0::/64');
  expect(networkOf('2001:db8:0:1:2:3:4:5')).toBe('2001:db8:0:1::/64');
  expect(networkOf('fe80::1%eth0')).toBe('fe80:0:0:0::/64');
  expect(networkOf('::1')).toBe('0:0:0:0::/64');
  expect(networkOf('unknown')).toBe('unknown');
});
