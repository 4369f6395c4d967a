import { expect, it } from 'vitest';
import { describeOneDatabase, type MakeLocation } from '../../testing/database/databases.ts';
import { addMember, sampleProject } from '../../testing/sample-project.ts';
import { ADMIN_PASSWORD, type Client, startTestServer } from '../../testing/test-server.ts';

const ANA = { name: 'Ana', username: 'ana', email: 'ana@example.com', password: 'first password' };

const setUp = async (makeLocation: MakeLocation) => {
  const server = await startTestServer(await makeLocation());
  const admin = await server.signIn();
  const made = async (body: object): Promise<number> => {
    const answer = await admin.post('/users', body);
    expect(answer.statusCode, answer.body).toBe(201);
    return answer.json<{ id: number }>().id;
  };
  return { server, admin, made };
};

const me = async (client: Client) => (await client.get('/user')).json<Record<string, unknown>>();

describeOneDatabase('users', (makeLocation) => {
  it('are created by admins with all fields, and their password is never returned', async () => {
    const { server, admin } = await setUp(makeLocation);
    const answer = await admin.post('/users', { ...ANA, alert: true, can_create_project: true, id: 77 });
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toEqual({
      id: expect.any(Number),
      name: 'Ana',
      username: 'ana',
      email: 'ana@example.com',
      email_proven: true,
      admin: false,
      alert: true,
      external: false,
      can_create_project: true,
      billing: false,
      service: false,
      language: null,
      second_factor: 'off',
      created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect((await (await server.signIn('ana', ANA.password)).post('/projects', { name: 'Hers' })).statusCode).toBe(201);
  });

  it('need a name, a username, an email address, and a password unless they are external', async () => {
    const { admin, made } = await setUp(makeLocation);
    for (const field of ['name', 'username', 'email', 'password']) {
      const answer = await admin.post('/users', { ...ANA, [field]: undefined });
      expect(answer.statusCode).toBe(400);
      expect(answer.json().fields).toEqual({ [field]: 'is required' });
    }
    await made({ ...ANA, password: undefined, external: true });
  });

  it('cannot take a name or address by which another user signs in', async () => {
    const { server, admin, made } = await setUp(makeLocation);
    await made(ANA);
    const id = await made({ ...ANA, username: 'bob@example.com', email: 'bob@example.com' });
    const bob = await server.signIn('bob@example.com', ANA.password);
    expect((await bob.put(`/users/${id}`, { username: 'ANA@example.com' })).statusCode).toBe(400);
    expect((await admin.put(`/users/${id}`, { username: 'ANA@example.com' })).statusCode).toBe(409);
    const eve = { ...ANA, username: 'eve', email: 'eve@example.com' };
    for (const twin of [{ username: 'ana@example.com' }, { email: 'bob@example.com' }]) {
      expect((await admin.post('/users', { ...eve, ...twin })).statusCode).toBe(409);
    }
    expect(await me(await server.signIn('ana@example.com', ANA.password))).toMatchObject({ username: 'ana' });
    expect((await bob.put(`/users/${id}`, { name: 'Bob' })).statusCode).toBe(204);
  });

  it('get new email addresses in one canonical form, and keep addresses stored before', async () => {
    const { server, admin, made } = await setUp(makeLocation);
    const id = await made(ANA);
    const odd = ['a>b@x.example', 'a<b@x.example', 'a"b@x.example', 'a,b@x.example', 'a;b@x.example', 'a:b@x.example'];
    const hidden = ['a\\b@x.example', '(a)b@x.example', 'a[b]@x.example', 'a\u200bb@x.example', 'a\u0007b@x.example'];
    for (const email of [...odd, ...hidden, '\u212aim@x.example', 'kim@\uff58.example', 'a b@x.example']) {
      const answers = [await admin.put(`/users/${id}`, { email }), await admin.post('/users', { ...ANA, email })];
      for (const answer of answers) {
        expect(answer.statusCode, email).toBe(400);
        expect(answer.json().fields).toEqual({ email: expect.any(String) });
      }
    }
    for (const email of ["o'hara+ops@x.example", 'jörg@bücher.example'])
      expect((await admin.put(`/users/${id}`, { email })).statusCode, email).toBe(204);
    const old = { email: 'a>b@x.example', email_key: 'a>b@x.example' };
    await server.storage.database.write((tx) => tx.updateTable('users').set(old).where('id', '=', id).execute());
    expect((await admin.put(`/users/${id}`, { email: old.email, name: 'Ana B' })).statusCode).toBe(204);
  });

  it('can be changed by admins while another user has the address that they only claim', async () => {
    const { server, admin, made } = await setUp(makeLocation);
    const id = await made({ ...ANA, admin: true });
    const ana = await server.signIn('ana', ANA.password);
    await admin.put(`/users/${id}`, { admin: false });
    const claim = { email: 'chief@corp.example', current_password: ANA.password };
    expect((await ana.put(`/users/${id}`, claim)).statusCode).toBe(204);
    await made({ ...ANA, username: 'chief', email: 'chief@corp.example' });
    const stored = (await admin.get(`/users/${id}`)).json<object>();
    for (const change of [{ admin: true }, { admin: false }, { ...stored, name: 'Mallory' }, { username: 'mallory' }])
      expect((await admin.put(`/users/${id}`, change)).statusCode, JSON.stringify(change)).toBe(204);
    for (const change of [{ email_proven: true }, { username: 'chief' }, { email: 'CHIEF@corp.example' }])
      expect((await admin.put(`/users/${id}`, change)).statusCode, JSON.stringify(change)).toBe(409);
  });

  it('lose rights that belong to the admin right with it, and keep their own', async () => {
    const { admin, made } = await setUp(makeLocation);
    const mayCreate = async (id: number) =>
      (await admin.get(`/users/${id}`)).json<{ can_create_project: boolean }>().can_create_project;
    for (const [own, demotion, left] of [
      [false, { admin: false }, false],
      [true, { admin: false }, true],
      [false, { admin: false, can_create_project: true }, true],
      [true, { admin: false, can_create_project: false }, false],
    ] as const) {
      const name = `${own} ${JSON.stringify(demotion)}`;
      const id = await made({ ...ANA, username: name, email: `${name.length}@example.com`, can_create_project: own });
      expect((await admin.put(`/users/${id}`, { admin: true })).statusCode).toBe(204);
      expect(await mayCreate(id), name).toBe(true);
      // A value that a form sends back unchanged is no change.
      expect((await admin.put(`/users/${id}`, { admin: true, can_create_project: true })).statusCode).toBe(204);
      expect((await admin.put(`/users/${id}`, demotion)).statusCode).toBe(204);
      expect(await mayCreate(id), name).toBe(left);
      await admin.del(`/users/${id}`);
    }
    const id = await made({ ...ANA, admin: true });
    expect((await admin.put(`/users/${id}`, { admin: false })).statusCode).toBe(204);
    expect(await mayCreate(id)).toBe(false);
  });

  it('have unique usernames and email addresses, ignoring case', async () => {
    const { admin, made } = await setUp(makeLocation);
    const id = await made(ANA);
    for (const twin of [{ username: 'ANA' }, { email: 'Ana@Example.com' }]) {
      const body = { ...ANA, username: 'other', email: 'other@example.com', ...twin };
      expect((await admin.post('/users', body)).statusCode).toBe(409);
    }
    const other = await made({ ...ANA, username: 'other', email: 'other@example.com' });
    expect((await admin.put(`/users/${other}`, { username: 'Ana' })).statusCode).toBe(409);
    expect((await admin.put(`/users/${other}`, { email: 'ANA@example.com' })).statusCode).toBe(409);
    expect((await admin.put(`/users/${id}`, { username: 'Ana' })).statusCode).toBe(204);
  });

  it('are created once when 8 requests with the same name arrive simultaneously', async () => {
    const { admin } = await setUp(makeLocation);
    const answers = await Promise.all(Array.from({ length: 8 }, () => admin.post('/users', ANA)));
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, ...Array(7).fill(409)]);
  });

  it('see only the identity of other users', async () => {
    const { server, admin, made } = await setUp(makeLocation);
    const id = await made(ANA);
    const ana = await server.signIn('ana', ANA.password);
    const list = (await ana.get('/users')).json<object[]>();
    expect(list).toEqual([
      { id: expect.any(Number), name: 'admin', username: 'admin' },
      { id, name: 'Ana', username: 'ana' },
    ]);
    const adminId = (await me(admin)).id;
    expect((await ana.get(`/users/${adminId}`)).json()).toEqual({ id: adminId, name: 'admin', username: 'admin' });
    expect((await ana.get(`/users/${id}`)).json()).toEqual(await me(ana));
    expect((await admin.get('/users')).json<object[]>()[1]).toEqual(await me(ana));
    expect((await ana.get('/users/2000000000')).statusCode).toBe(404);
  });

  it('can change themselves, except for fields that only admins may change', async () => {
    const { server, made } = await setUp(makeLocation);
    const id = await made(ANA);
    const ana = await server.signIn('ana', ANA.password);
    const before = await me(ana);
    for (const field of ['admin', 'external', 'can_create_project', 'billing']) {
      const refused = await ana.put(`/users/${id}`, { ...before, [field]: true });
      expect(refused.statusCode, field).toBe(403);
      expect(refused.json().error).toContain(field);
    }
    expect(await me(ana)).toEqual(before);
    // A value that is sent back unchanged is no change.
    expect((await ana.put(`/users/${id}`, { ...before, name: 'Ana B.', alert: true })).statusCode).toBe(204);
    expect(await me(ana)).toEqual({ ...before, name: 'Ana B.', alert: true });
    expect((await ana.put('/users/2000000000', { name: 'x' })).statusCode).toBe(403);
  });

  it('cannot use null to clear fields that only admins may change', async () => {
    const { server, admin, made } = await setUp(makeLocation);
    const id = await made({ ...ANA, can_create_project: true, billing: true });
    const ana = await server.signIn('ana', ANA.password);
    await server.storage.database.autocommit.updateTable('users').set({ external: 1 }).where('id', '=', id).execute();
    const before = await me(ana);
    for (const field of ['external', 'can_create_project', 'billing']) {
      expect((await ana.put(`/users/${id}`, { [field]: null })).statusCode, field).toBe(403);
    }
    // A right that the user does not have cannot be revoked.
    expect((await ana.put(`/users/${id}`, { admin: null })).statusCode).toBe(204);
    expect(await me(ana)).toEqual(before);
    const { id: adminId } = await me(admin);
    expect((await admin.put(`/users/${adminId}`, { admin: null })).statusCode).toBe(403);
    expect(await me(admin)).toMatchObject({ admin: true });
    expect((await admin.put(`/users/${id}`, { billing: null })).statusCode).toBe(204);
    expect(await me(ana)).toEqual({ ...before, billing: false });
  });

  it('cannot change fields that their sign-in provider manages', async () => {
    const { admin, made } = await setUp(makeLocation);
    const id = await made({ ...ANA, external: true });
    for (const change of [{ username: 'x' }, { email: 'x@example.com' }, { password: 'another password' }]) {
      const refused = await admin.put(`/users/${id}`, change);
      expect(refused.statusCode, JSON.stringify(change)).toBe(400);
      expect(Object.keys(refused.json<{ fields: object }>().fields)).toEqual(Object.keys(change));
    }
    expect((await admin.post(`/users/${id}/password`, { password: 'another password' })).statusCode).toBe(400);
    expect((await admin.put(`/users/${id}`, { name: 'Ana B.', username: 'ana' })).statusCode).toBe(204);
  });

  it('can neither delete themselves nor revoke their own admin right', async () => {
    const { server, admin, made } = await setUp(makeLocation);
    const { id } = await me(admin);
    expect((await admin.del(`/users/${id}`)).statusCode).toBe(403);
    expect((await admin.put(`/users/${id}`, { admin: false })).statusCode).toBe(403);
    const second = await made({ ...ANA, admin: true });
    const ana = await server.signIn('ana', ANA.password);
    // Two admins who revoke each other's right at the same moment leave one admin.
    const answers = await Promise.all([
      admin.put(`/users/${second}`, { admin: false }),
      ana.put(`/users/${id}`, { admin: false }),
    ]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([204, 403]);
    const users = await server.storage.database.read.selectFrom('users').select('admin').execute();
    expect(users.filter((user) => user.admin === 1)).toHaveLength(1);
  });

  it('are deleted with their sessions, except the only owner of a project', async () => {
    const { server, admin, made } = await setUp(makeLocation);
    const id = await made({ ...ANA, can_create_project: true });
    const ana = await server.signIn('ana', ANA.password);
    const project = (await ana.post('/projects', { name: 'Hers' })).json<{ id: number }>().id;
    const refused = await admin.del(`/users/${id}`);
    expect(refused.statusCode).toBe(409);
    expect(refused.json().error).toContain('Hers');
    const heir = await made({ ...ANA, username: 'heir', email: 'heir@example.com' });
    await ana.post(`/project/${project}/users`, { user_id: heir, role: 'owner' });
    expect((await admin.del(`/users/${id}`)).statusCode).toBe(204);
    expect((await ana.get('/user')).statusCode).toBe(401);
    const [newest] = (await admin.get('/events/last')).json<{ description: string }[]>();
    expect(newest?.description).toBe('User ana deleted');
  });
});

describeOneDatabase('a new password', (makeLocation) => {
  it('[S8] ends every session of its user except the one in which it was set', async () => {
    const { server, admin, made } = await setUp(makeLocation);
    const id = await made(ANA);
    const [here, there] = [await server.signIn('ana', ANA.password), await server.signIn('ana', ANA.password)];
    expect(
      (await here.post(`/users/${id}/password`, { password: 'second password', current_password: ANA.password }))
        .statusCode,
    ).toBe(204);
    expect((await here.get('/user')).statusCode).toBe(200);
    expect((await there.get('/user')).statusCode).toBe(401);
    await expect(server.signIn('ana', ANA.password)).rejects.toThrow('Incorrect login or password');
    expect(
      (await admin.put(`/users/${id}`, { password: 'third password', current_password: ADMIN_PASSWORD })).statusCode,
    ).toBe(204);
    expect((await here.get('/user')).statusCode).toBe(401);
    await server.signIn('ana', 'third password');
    // Forms send an empty password when the field was not filled in.
    expect((await admin.put(`/users/${id}`, { password: '' })).statusCode).toBe(204);
    await server.signIn('ana', 'third password');
    expect((await admin.post(`/users/${id}/password`, { password: '' })).statusCode).toBe(400);
    expect((await admin.post('/users/2000000000/password', { password: 'a password' })).statusCode).toBe(404);
  });
});

describeOneDatabase('sorting users', (makeLocation) => {
  it('sorts lists by any column, the same on every database', async () => {
    const { server, admin, made } = await setUp(makeLocation);
    for (const [name, username] of [
      ['zoe', 'a10'],
      ['Anna', 'A9'],
      ['élan', 'b'],
    ] as const) {
      await made({ name, username, email: `${username}@example.com`, password: 'a password', admin: name === 'zoe' });
    }
    const names = async (query: string, client = admin) =>
      (await client.get(`/users${query}`)).json<{ name: string }[]>().map(({ name }) => name);
    expect(await names('')).toEqual(['admin', 'Anna', 'élan', 'zoe']);
    expect(await names('?sort=name&order=desc')).toEqual(['zoe', 'élan', 'Anna', 'admin']);
    expect(await names('?sort=username&order=asc')).toEqual(['Anna', 'zoe', 'admin', 'élan']);
    expect(await names('?sort=admin&order=desc')).toEqual(['zoe', 'admin', 'élan', 'Anna']);
    for (const bad of ['?sort=password', '?sort=', '?order=up']) {
      expect((await admin.get(`/users${bad}`)).statusCode, bad).toBe(400);
    }
    const { projectId, base } = await sampleProject(admin);
    await addMember(server, 'guest', { projectId, role: 'guest' });
    expect(
      (await admin.get(`${base}/users?sort=role&order=asc`)).json<{ role: string }[]>().map((u) => u.role),
    ).toEqual(['guest', 'owner']);
  });
});
