import { expect, it } from 'vitest';
import { describeOneDatabase } from '../../testing/database/databases.ts';
import { passProvider } from '../../testing/identity-provider.ts';
import { failed, startSignOn, whoIs } from '../../testing/sign-on.ts';
import { ADMIN_PASSWORD } from '../../testing/test-server.ts';

describeOneDatabase('signing in with a provider', (makeLocation) => {
  it('creates an external user at the first time, recognizes the user afterwards, and opens the requested page', async () => {
    const { server, idp, signOn } = await startSignOn(makeLocation);
    expect((await server.anonymous.get('/auth/login')).json()).toEqual({
      oidc_providers: [{ id: 'corp', name: 'Corp', color: '#123456', icon: 'globe' }],
      login_with_password: true,
      command: expect.stringContaining('signalbox.mjs'),
    });
    const first = await signOn('mara', '/project/1/history?t=7#l3');
    expect(first.to).toBe('/box/project/1/history?t=7#l3');
    const mara = await whoIs(first.client);
    expect(mara).toMatchObject({
      ...{ username: 'mara', name: 'mara of Corp', email: 'mara@example.com' },
      ...{ external: true, admin: false, can_create_project: false },
    });
    // The subject identifies a user, whatever the name is.
    idp.people.set('mara', { sub: 'mara', preferred_username: 'm.new', name: 'Mara New', email: 'new@example.com' });
    const second = await signOn('mara');
    expect(second.to).toBe('/box/');
    expect(await whoIs(second.client)).toMatchObject({
      id: mara.id,
      username: 'mara',
      name: 'Mara New',
      email: 'new@example.com',
    });
    expect((await first.client.get('/user')).statusCode).toBe(200);
  });

  it('sets the cookies of a session like a password does, and sends the request cookie to its own path only', async () => {
    const { visit, begin, thereAndBack } = await startSignOn(makeLocation);
    const jar = new Map<string, string>();
    await begin(jar);
    expect([...jar.keys()]).toEqual(['signalbox_sign_on']);
    // The cookie outlives the request, so that a late callback can be explained.
    const kept = (await visit(new Map(), '/box/api/auth/oidc/corp/login')).cookies.find(({ maxAge }) => maxAge);
    expect(kept).toMatchObject({ name: 'signalbox_sign_on', maxAge: 12 * 3600, httpOnly: true, secure: true });
    const provider = await thereAndBack(jar, { login: 'mara' });
    const answer = await visit(jar, `${provider.pathname}${provider.search}`);
    const cookies = Object.fromEntries(answer.cookies.map(({ name, ...rest }) => [name, rest]));
    expect(cookies.signalbox_session).toMatchObject({ httpOnly: true, secure: true, sameSite: 'Lax', path: '/box/' });
    expect(cookies.signalbox_signed_in).not.toHaveProperty('httpOnly');
    expect(cookies.signalbox_sign_on).toMatchObject({ value: '', path: '/box/api/auth/oidc/' });
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('requests a code with a new state, nonce and challenge each time', async () => {
    const { begin } = await startSignOn(makeLocation);
    const [one, two] = [new URL(await begin(new Map())), new URL(await begin(new Map()))];
    expect(Object.fromEntries(one.searchParams)).toMatchObject({
      ...{
        response_type: 'code',
        client_id: 'signalbox',
        scope: 'openid profile email',
        code_challenge_method: 'S256',
      },
      redirect_uri: 'https://signalbox.test/box/api/auth/oidc/corp/callback',
    });
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(one.searchParams.get(name)?.length, name).toBeGreaterThan(40);
      expect(one.searchParams.get(name), name).not.toBe(two.searchParams.get(name));
    }
  });

  it('gives each user a unique username', async () => {
    const { server, idp, signOn } = await startSignOn(makeLocation);
    const admin = await server.signIn();
    const local = { name: 'Ana', username: 'ANA', email: 'x@example.com', password: 'a password' };
    expect((await admin.post('/users', local)).statusCode).toBe(201);
    for (const sub of ['one', 'two']) {
      idp.people.set(sub, { sub, preferred_username: 'ana', email: undefined });
      await signOn(sub);
    }
    idp.people.set('three', { sub: 'three', preferred_username: ' \n', email: undefined, name: undefined });
    await signOn('three');
    idp.people.set('four', { sub: 'four', preferred_username: 'x@example.com', email: undefined });
    await signOn('four');
    const users = (await admin.get('/users')).json<{ username: string; external: boolean }[]>();
    expect(
      users
        .filter(({ external }) => external)
        .map(({ username }) => username)
        .toSorted(),
    ).toEqual(['ana-2', 'ana-3', 'corp-three', 'x@example.com-2']);
    // Users without an address do not conflict.
    const { id } = users.find(({ username }) => username === 'ana-2') as unknown as { id: number };
    expect((await admin.put(`/users/${id}`, { alert: true })).statusCode).toBe(204);
  });

  it('creates one user when the same person signs in many times simultaneously', async () => {
    const { server, thereAndBack, finish } = await startSignOn(makeLocation);
    const jars = Array.from({ length: 5 }, () => new Map<string, string>());
    const providers: URL[] = [];
    for (const jar of jars) providers.push(await thereAndBack(jar, { login: 'mara' }));
    const ends = await Promise.all(providers.map((provider, n) => finish(jars[n] ?? new Map(), provider)));
    expect(ends).toEqual(Array(5).fill('/box/'));
    const users = await server.storage.database.read.selectFrom('users').select('username').execute();
    expect(users.map(({ username }) => username).toSorted()).toEqual(['admin', 'mara']);
  });

  it('merges users by email address only if the settings allow it and the address is verified', async () => {
    const local = { name: 'Ana', username: 'ana.local', email: 'Ana@Example.com', password: 'a password' };
    for (const [link, verified, end] of [
      [false, true, failed('conflict')],
      [true, false, '/box/'],
      [true, undefined, failed('conflict')],
      [true, true, '/box/'],
    ] as const) {
      const { server, idp, signOn } = await startSignOn(makeLocation, { link_by_verified_email: link });
      const admin = await server.signIn();
      const { id } = (await admin.post('/users', local)).json<{ id: number }>();
      idp.people.set('ana', {
        sub: 'ana',
        ...(verified === undefined ? { email_verified: undefined } : { email_verified: verified }),
      });
      const { to, client } = await signOn('ana');
      const what = JSON.stringify({ link, verified });
      expect(to, what).toBe(end);
      if (link && verified) {
        // The account can sign in both ways and stays managed on this server.
        expect(await whoIs(client)).toMatchObject({ id, username: 'ana.local', external: false });
        expect((await whoIs((await signOn('ana')).client)).id).toBe(id);
        expect((await whoIs(await server.signIn('ana.local', 'a password'))).id).toBe(id);
      } else if (end === '/box/') {
        // An unverified address is ignored.
        expect(await whoIs(client), what).toMatchObject({ username: 'ana', email: '', external: true });
      }
    }
  });

  it('lets the owner of an address in although another user claims it, and not into that account', async () => {
    for (const link of [false, true]) {
      const { server, signOn } = await startSignOn(makeLocation, { link_by_verified_email: link });
      const admin = await server.signIn();
      const mallory = { name: 'Mallory', username: 'mallory', email: 'mallory@example.com', password: 'a password' };
      const { id } = (await admin.post('/users', mallory)).json<{ id: number }>();
      const claim = { email: 'Mara@example.com', current_password: mallory.password };
      expect((await (await server.signIn('mallory', 'a password')).put(`/users/${id}`, claim)).statusCode).toBe(204);
      const name = { username: 'mara@example.com', current_password: mallory.password };
      const refused = await (await server.signIn('mallory', 'a password')).put(`/users/${id}`, name);
      expect(refused.json()).toMatchObject({ fields: { username: expect.stringContaining('if it is yours') } });
      // Older databases may contain such a name.
      await server.storage.database.autocommit
        .updateTable('users')
        .set({ username: 'mara@example.com', username_key: 'mara@example.com' })
        .where('id', '=', id)
        .execute();
      const { to, client } = await signOn('mara');
      expect(to).toBe('/box/');
      expect(await whoIs(client)).toMatchObject({ username: 'mara', email: 'mara@example.com', external: true });
      const renamed = await admin.put(`/users/${id}`, { username: 'mallory', email: mallory.email });
      expect(renamed.statusCode, renamed.body).toBe(204);
      // The unconfirmed address does not sign in, and an admin may give it to its owner.
      await expect(server.signIn('mara@example.com', 'a password')).rejects.toThrow('Incorrect login or password');
      const two = { ...mallory, username: 'two', email: 'two@example.com' };
      const other = (await admin.post('/users', two)).json<{ id: number }>();
      expect((await admin.put(`/users/${other.id}`, { email: 'three@example.com' })).statusCode).toBe(204);
      await server.signIn('three@example.com', 'a password');
    }
  });

  it('prevents changes of fields that the provider manages, and accepts no password', async () => {
    const { server, signOn } = await startSignOn(makeLocation);
    const { client } = await signOn('mara');
    const { id } = await whoIs(client);
    for (const change of [{ username: 'x' }, { email: 'x@example.com' }, { password: 'a password' }]) {
      expect((await client.put(`/users/${id}`, change)).statusCode).toBe(400);
    }
    for (const password of ['x', '']) {
      const refused = await server.anonymous.post('/auth/login', { auth: 'mara', password });
      expect([400, 401]).toContain(refused.statusCode);
    }
  });

  it('is the only way in when the settings disable passwords', async () => {
    const off = { login_with_password: false };
    const { server, signOn } = await startSignOn(makeLocation, {}, {}, undefined, off);
    expect((await server.anonymous.get('/auth/login')).json()).toMatchObject(off);
    for (const password of [ADMIN_PASSWORD, 'wrong']) {
      const refused = await server.anonymous.post('/auth/login', { auth: 'admin', password });
      expect(refused.json()).toMatchObject({ code: 'not_permitted.password_sign_in' });
    }
    expect((await signOn('mara')).to).toBe('/box/');
  });

  it('keeps the old address of a user when the new one is taken, and lets the user in', async () => {
    const { server, idp, signOn } = await startSignOn(makeLocation);
    await signOn('mara');
    const local = { name: 'Ana', username: 'ana', email: 'ana@example.com', password: 'a password' };
    await (await server.signIn()).post('/users', local);
    idp.people.set('mara', { sub: 'mara', email: 'ANA@example.com' });
    expect((await whoIs((await signOn('mara')).client)).email).toBe('mara@example.com');
  });

  it('works with configured endpoints and every method of client authentication', async () => {
    const { idp, signOn } = await startSignOn(makeLocation);
    const endpoints = {
      ...{ authorization: `${idp.issuer}/auth`, token: `${idp.issuer}/token` },
      ...{ jwks: `${idp.issuer}/jwks`, userinfo: `${idp.issuer}/me` },
    };
    expect((await signOn('mara')).to).toBe('/box/');
    const other = await startSignOn(makeLocation, { endpoints, issuer: idp.issuer });
    idp.people.set('ivo', { sub: 'ivo' });
    // This server was redirected to the first provider.
    const start = await other.begin(new Map());
    expect(start.startsWith(`${idp.issuer}/auth?`)).toBe(true);
    const jar = new Map<string, string>();
    expect(await other.finish(jar, await passProvider(await other.begin(jar), { login: 'ivo' }))).toBe('/box/');
  });
});
