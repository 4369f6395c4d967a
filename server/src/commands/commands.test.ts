import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { describeOneEmptyDatabase } from '../testing/database/databases.ts';
import { signalbox, withoutRights } from '../testing/signalbox-process.ts';
import { VERSION } from '../version.ts';

const addressOf = (output: string): string => /ready at (\S+)/.exec(output)?.[1] ?? '';

const signIn = async (address: string, auth: string, password: string): Promise<{ status: number; cookie: string }> => {
  const answer = await fetch(`${address}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ auth, password }),
  });
  const cookie = answer.headers.getSetCookie().map((one) => one.split(';')[0]);
  return { status: answer.status, cookie: cookie.join('; ') };
};

describeOneEmptyDatabase('the command line', (makeLocation) => {
  it('[S8] changes a password next to a running server and ends the sessions of that user', async () => {
    const location = await makeLocation();
    const server = signalbox(location, 'server', { SIGNALBOX_ADMIN_PASSWORD: 'old password' });
    const address = addressOf(await server.printed('Signalbox is ready'));
    const passwords = ['old password', 'newer password', 'newest password', 'the very newest'];
    const took: number[] = [];
    // The server checks every 0.9 s. A busy machine may need more than one attempt to be fast enough.
    for (const [index, old] of passwords.slice(0, -1).entries()) {
      const { cookie } = await signIn(address, 'admin', old);
      const get = async () => (await fetch(`${address}/api/user`, { headers: { cookie } })).status;
      expect(await get()).toBe(200);
      const socket = new WebSocket(`${address.replace('http', 'ws')}/api/ws`, { headers: { cookie } });
      onTestFinished(() => socket.terminate());
      const closed = once(socket, 'close');
      await once(socket, 'open');
      const password = passwords[index + 1] ?? '';
      const changed = await signalbox(location, 'user', 'change-by-login', '--login', 'ADMIN', '--password', password)
        .ended;
      expect(changed).toEqual({ code: 0, output: 'Password of ADMIN changed\n' });
      const since = performance.now();
      expect(await get()).toBe(401);
      expect((await closed)[0]).toBe(1008);
      took.push(performance.now() - since);
      expect((await signIn(address, 'admin', old)).status).toBe(401);
      expect((await signIn(address, 'admin', password)).status).toBe(204);
      if (Math.min(...took) < 1500) break;
    }
    expect(Math.min(...took), took.join(', ')).toBeLessThan(1500);
  });

  it('the first start answers no call before the admin can sign in', async () => {
    const free = createServer().listen(0, '127.0.0.1');
    await once(free, 'listening');
    const { port } = free.address() as { port: number };
    free.close();
    await once(free, 'close');
    const address = `http://127.0.0.1:${port}`;
    const settings = { SIGNALBOX_PORT: String(port), SIGNALBOX_ADMIN_PASSWORD: 'right horse' };
    signalbox(await makeLocation(), 'server', settings);
    const ping = () =>
      fetch(`${address}/api/ping`).then(
        ({ status }) => status,
        () => 0,
      );
    await expect.poll(ping, { interval: 2, timeout: 60_000 }).toBe(200);
    expect((await signIn(address, 'admin', 'right horse')).status).toBe(204);
  });

  it('prints a generated password once, even if an earlier first start did not get its port', async () => {
    const location = await makeLocation();
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    expect(await signalbox(location, 'server', { SIGNALBOX_PORT: String(port) }).ended).toEqual({
      code: 1,
      output: `Port ${port} on 127.0.0.1 is in use. Stop the program that uses it, or set SIGNALBOX_PORT to another port.\n`,
    });
    const first = signalbox(location, 'server');
    const printed = await first.printed('shown only once');
    const password = /Sign in as admin with the password (\S+)/.exec(printed)?.[1] ?? '';
    expect((await signIn(addressOf(printed), 'admin', password)).status).toBe(204);
    first.child.kill('SIGTERM');
    expect((await first.ended).code).toBe(0);
    const second = signalbox(location, 'server');
    await second.printed('Signalbox is ready');
    second.child.kill('SIGINT');
    const { code, output } = await second.ended;
    expect(code).toBe(0);
    expect(output).not.toContain('password');
  });
});

it('the server continues when nothing reads its log any more', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-command-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const settings = { SIGNALBOX_LOG_LEVEL: 'debug' };
  const server = signalbox({ folder, databaseUrl: undefined }, 'server', settings);
  const address = addressOf(await server.printed('Signalbox is ready'));
  const { stdout, stderr } = server.child;
  for (const stream of [stdout, stderr]) stream?.destroy();
  // Each call is a line of the log.
  for (let call = 0; call < 3; call++) expect((await fetch(`${address}/api/ready`)).status).toBe(200);
  server.child.kill('SIGTERM');
  expect((await server.ended).code).toBe(0);
});

it.each([
  ['', true],
  // Only root may run tasks as another user.
  ...(process.getuid?.() === 0 ? [['nobody', false] as const] : []),
] as const)(
  'the server warns at its start when tasks are not separated from it: SIGNALBOX_RUN_AS=%s',
  async (user, warns) => {
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-command-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const settings = { SIGNALBOX_RUNNER_SLOTS: '1', SIGNALBOX_RUN_AS: user };
    const server = signalbox({ folder, databaseUrl: undefined }, 'server', settings);
    const printed = await server.printed('shown only once');
    const warning = 'Warning: tasks are executed as the user of this server';
    expect(printed.includes(warning)).toBe(warns);
    server.child.kill('SIGTERM');
    expect((await server.ended).code).toBe(0);
  },
);

const SEPARATED = { SIGNALBOX_RUNNER_SLOTS: '1' };

it('the server does not start with SIGNALBOX_RUN_AS when it cannot change users, and explains what to do', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-command-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const settings = { ...SEPARATED, SIGNALBOX_RUN_AS: 'nobody' };
  const { code, output } = await withoutRights({ folder, databaseUrl: undefined }, 'server', settings).ended;
  expect([code, output]).toEqual([
    1,
    'SIGNALBOX_RUN_AS names nobody, but only a server that is started as root may run tasks as another user: start it as root, or set SIGNALBOX_RUNNER_SLOTS=0 and start a runner as root.\n',
  ]);
});

it('the server does not start when the user of SIGNALBOX_RUN_AS cannot enter the data folder', async () => {
  // Only this user can enter the parent folder, because mkdtemp made it.
  const above = mkdtempSync(join(tmpdir(), 'signalbox-command-'));
  onTestFinished(() => rmSync(above, { recursive: true, force: true }));
  const folder = join(above, 'data');
  const settings = { ...SEPARATED, SIGNALBOX_RUN_AS: 'nobody' };
  const { code, output } = await signalbox({ folder, databaseUrl: undefined }, 'server', settings).ended;
  expect(code).toBe(1);
  // Without the rights of root, the server reports those first.
  const text =
    process.getuid?.() === 0 ? `cannot enter ${folder}: let others` : 'only a server that is started as root';
  expect(output).toContain(text);
});

it('the program prints its version and its usage', async () => {
  const location = { folder: '/nowhere', databaseUrl: undefined };
  expect(await signalbox(location, 'version').ended).toEqual({ code: 0, output: `${VERSION}\n` });
  expect(await signalbox(location, '--version').ended).toEqual({ code: 0, output: `${VERSION}\n` });
  for (const command of ['help', '--help']) {
    expect(await signalbox(location, command).ended).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^Usage:/),
    });
  }
  const runner = await signalbox(location, 'runner', '--help').ended;
  expect(runner).toMatchObject({ code: 0, output: expect.stringContaining('signalbox runner') });
  const nonsense = await signalbox(location, 'nonsense').ended;
  expect(nonsense).toEqual({ code: 1, output: "Unknown command 'nonsense'.\n" });
});

it.each([
  [{ SIGNALBOX_DATA: '/proc/signalbox' }, 'The data folder /proc/signalbox cannot be written'],
  [{ ...SEPARATED, SIGNALBOX_RUN_AS: 'root' }, 'SIGNALBOX_RUN_AS names the superuser. Name an'],
  [{ ...SEPARATED, SIGNALBOX_RUN_AS: 'no-such-user' }, 'names the user no-such-user, which does not exist'],
  [{ SIGNALBOX_PORT: 'http' }, 'SIGNALBOX_PORT: must be a whole number'],
  [{ SIGNALBOX_HOST: '203.0.113.1' }, '203.0.113.1 is not an address of this machine'],
  [{ SIGNALBOX_ENCRYPTION_KEY: 'short' }, 'SIGNALBOX_ENCRYPTION_KEY must be 32 bytes in base64'],
  [{ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/x' }, 'The database cannot be opened (connect ECONNREFUSED'],
])('the server does not start with %j and explains why without a stack', async (settings, text) => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-command-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { code, output } = await signalbox({ folder, databaseUrl: undefined }, 'server', settings).ended;
  expect(code).toBe(1);
  expect(output).toContain(text);
  expect(output).not.toContain('    at ');
});
