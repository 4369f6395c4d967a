import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { describeOneDatabase, type MakeLocation } from '../../testing/database/databases.ts';
import { type LdapFixture, passwordOf, startLdapServer } from '../../testing/ldap-server.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { whoIs } from '../../testing/sign-on.ts';
import { startTestServer } from '../../testing/test-server.ts';

const STRANGE = 'a*b(c)\\d';
const PEOPLE = ['mara', 'ivo', STRANGE];

const setUp = async (makeLocation: MakeLocation, ...servers: object[]) => {
  const location = await makeLocation();
  const config = join(location.folder, 'settings.yml');
  writeFileSync(config, JSON.stringify({ ldap_servers: servers }));
  const server = await startTestServer(location, { SIGNALBOX_CONFIG: config });
  const attempt = async (auth: string, password: string): Promise<number> =>
    (await server.anonymous.post('/auth/login', { auth, password })).statusCode;
  const usernames = async (): Promise<string[]> =>
    (await server.storage.database.read.selectFrom('users').select('username').execute())
      .map(({ username }) => username)
      .toSorted();
  return { server, attempt, usernames };
};

const corp = (ldap: LdapFixture, more: object = {}) => ({ id: 'corp', ...ldap.settings('ldaps'), ...more });
const DEAD = {
  ...{ id: 'dead', url: 'ldaps://127.0.0.1:9', search_base: 'dc=corp' },
};

describeOneDatabase('signing in with a directory', (makeLocation) => {
  it.each(['ldaps', 'start_tls'] as const)(
    'over %s creates an external user once, without a password on this server',
    async (how) => {
      const ldap = await startLdapServer(PEOPLE);
      const { server, attempt, usernames } = await setUp(makeLocation, { id: 'corp', ...ldap.settings(how) });
      expect(await attempt('mara', 'wrong')).toBe(401);
      expect(await usernames()).toEqual(['admin']);
      const mara = await whoIs(await server.signIn('mara', passwordOf('mara')));
      expect(mara).toMatchObject({
        ...{ username: 'mara', name: 'mara of Corp', email: 'mara@example.com', external: true, admin: false },
      });
      expect((await whoIs(await server.signIn('Mara@example.com', passwordOf('mara')))).id).toBe(mara.id);
      expect(await attempt('mara', passwordOf('ivo'))).toBe(401);
      expect(await usernames()).toEqual(['admin', 'mara']);
      const [stored] = await server.storage.database.read.selectFrom('identity').selectAll().execute();
      expect(stored).toMatchObject({
        source: 'ldap:corp',
        subject: expect.stringMatching(/^[\da-f]{8}-[\da-f-]{27}$/),
      });
      const rows = await server.storage.database.read.selectFrom('users').selectAll().execute();
      expect(JSON.stringify(rows)).not.toContain('canary');
    },
  );

  it('[S9] escapes filters in logins, and refuses an empty password', async () => {
    const ldap = await startLdapServer(PEOPLE);
    const { server, attempt, usernames } = await setUp(makeLocation, corp(ldap));
    const tricks = ['*', 'm*', 'mara)(uid=*', '*)(objectClass=*', 'mara)', '\\2a', 'mara\\', '(', ')(&', 'mar\\61'];
    for (const trick of tricks) {
      const answer = await server.anonymous.send({
        ...{ method: 'POST', url: '/api/auth/login', payload: { auth: trick, password: passwordOf('mara') } },
      });
      expect(answer.statusCode, trick).toBe(401);
    }
    for (const password of ['', ' ', '\u0000']) expect([400, 401]).toContain(await attempt('mara', password));
    expect(await usernames()).toEqual(['admin']);
    expect((await whoIs(await server.signIn(STRANGE, passwordOf(STRANGE)))).username).toBe(STRANGE);
    // With two entries for a login, the user is ambiguous.
    expect(await attempt('twin', passwordOf('twin'))).toBe(401);
  });

  it('does not query directories about local users', async () => {
    const ldap = await startLdapServer([...PEOPLE, 'admin']);
    const { server, attempt } = await setUp(makeLocation, corp(ldap));
    expect(await attempt('admin', passwordOf('admin'))).toBe(401);
    expect((await whoIs(await server.signIn())).external).toBe(false);
  });

  it('grants rights of groups from the attribute of a user and from a search', async () => {
    const ldap = await startLdapServer(PEOPLE, { ops: ['mara'], root: ['mara', 'ivo'] });
    const ops = `cn=ops,ou=groups,${ldap.suffix}`;
    const bySearch = { group_search_base: `ou=groups,${ldap.suffix}`, admin_groups: ['root'] };
    const rules = { project_roles: [{ group: ops, project: 'Sample', role: 'task_runner' }], ...bySearch };
    const { server } = await setUp(makeLocation, corp(ldap, rules));
    const admin = await server.signIn();
    const { base } = await sampleProject(admin, 'Sample');
    for (const [login, role] of [
      ['mara', 'task_runner'],
      ['ivo', undefined],
    ] as const) {
      const { id, admin: isAdmin } = await whoIs(await server.signIn(login, passwordOf(login)));
      expect(isAdmin, login).toBe(true);
      const team = (await admin.get(`${base}/users`)).json<{ id: number; role: string }[]>();
      expect(team.find((member) => member.id === id)?.role, login).toBe(role);
    }
  });

  it('queries several directories in order, and counts refusals', async () => {
    const [one, two] = [await startLdapServer(['mara']), await startLdapServer(['ivo'])];
    const { server, attempt } = await setUp(makeLocation, corp(one), { ...corp(two), id: 'second' });
    expect((await whoIs(await server.signIn('mara', passwordOf('mara')))).username).toBe('mara');
    expect((await whoIs(await server.signIn('ivo', passwordOf('ivo')))).username).toBe('ivo');
    const statuses: number[] = [];
    for (let n = 0; n < 6; n++) statuses.push(await attempt('ivo', 'wrong'));
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    expect(await attempt('ivo', passwordOf('ivo'))).toBe(429);
  });

  it('reports a directory that is down, and lets other users in', async () => {
    const ldap = await startLdapServer(PEOPLE);
    const { server, attempt } = await setUp(makeLocation, corp(ldap), DEAD);
    await server.signIn('mara', passwordOf('mara'));
    // One directory refuses, the other does not respond.
    const refused = await server.anonymous.post('/auth/login', { auth: 'ivo', password: 'wrong' });
    expect(refused.json()).toMatchObject({
      code: 'unavailable.directory',
      error: expect.stringContaining('does not respond'),
    });
    await ldap.stop();
    for (let n = 0; n < 31; n++) expect(await attempt(`person ${n}`, 'x')).toBe(503);
    await server.signIn();
    const first = await setUp(makeLocation, DEAD, corp(await startLdapServer(PEOPLE)));
    await first.server.signIn('mara', passwordOf('mara'));
  });

  it('trusts only the configured certificates, for the configured host', async () => {
    const [ldap, other] = [await startLdapServer(PEOPLE), await startLdapServer([])];
    for (const how of ['ldaps', 'start_tls'] as const) {
      for (const failure of [{ ca_file: undefined }, { ca_file: other.settings('ldaps').ca_file }]) {
        const { attempt } = await setUp(makeLocation, { id: 'corp', ...ldap.settings(how), ...failure });
        expect(await attempt('mara', passwordOf('mara')), how).toBe(503);
      }
      const named = ldap.settings(how);
      const { attempt } = await setUp(makeLocation, {
        ...{ id: 'corp', ...named, url: String(named.url).replace('localhost', '127.0.0.1') },
      });
      expect(await attempt('mara', passwordOf('mara')), `${how} of another name`).toBe(503);
    }
  });

  it('times out after some seconds when a server accepts the connection and sends nothing', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    onTestFinished(() => void silent.close());
    await once(silent, 'listening');
    const { port } = silent.address() as { port: number };
    const { server, attempt } = await setUp(makeLocation, {
      ...DEAD,
      url: `ldap://127.0.0.1:${port}`,
      start_tls: true,
    });
    expect(await attempt('mara', 'x')).toBe(503);
    await server.signIn();
  }, 30_000);

  it('matches no local user by email address unless the settings allow it', async () => {
    const ldap = await startLdapServer(PEOPLE);
    const local = { name: 'M', username: 'm.local', email: 'mara@example.com', password: 'a password' };
    for (const link_by_email of [false, true]) {
      const { server, attempt } = await setUp(makeLocation, corp(ldap, { link_by_email }));
      const { id } = (await (await server.signIn()).post('/users', local)).json<{ id: number }>();
      expect(await attempt('mara', passwordOf('mara'))).toBe(link_by_email ? 204 : 409);
      if (link_by_email) expect((await whoIs(await server.signIn('mara', passwordOf('mara')))).id).toBe(id);
    }
  });
});
