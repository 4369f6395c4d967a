import { expect, it } from 'vitest';
import { describeOneDatabase, type MakeLocation } from '../../testing/database/databases.ts';
import { addMember, sampleProject } from '../../testing/sample-project.ts';
import { type Client, startTestServer } from '../../testing/test-server.ts';

const idOf = async (client: Client): Promise<number> => (await client.get('/user')).json<{ id: number }>().id;

const setUp = async (makeLocation: MakeLocation) => {
  const server = await startTestServer(await makeLocation());
  const admin = await server.signIn();
  const { base, projectId } = await sampleProject(admin);
  const member = async (name: string, role?: 'owner' | 'manager' | 'guest') => {
    const client = await addMember(server, name, role && { projectId, role });
    return { client, id: await idOf(client) };
  };
  const roles = async () =>
    Object.fromEntries(
      (await admin.get(`${base}/users`))
        .json<{ username: string; role: string }[]>()
        .map(({ username, role }) => [username, role]),
    );
  return { server, admin, adminId: await idOf(admin), base, projectId, member, roles };
};

describeOneDatabase('a team', (makeLocation) => {
  it('gets members, changes their roles, and removes them', async () => {
    const { admin, base, projectId, member, roles } = await setUp(makeLocation);
    const { client, id } = await member('ana');
    expect((await client.get(base)).statusCode).toBe(404);
    expect((await admin.post(`${base}/users`, { user_id: id, role: 'guest' })).statusCode).toBe(204);
    expect((await client.get(`${base}/role`)).json()).toEqual({
      role: 'guest',
      role_id: null,
      permissions: 0,
      rights: [],
      templates: [],
    });
    expect((await admin.get(`${base}/users/${id}`)).json()).toEqual({
      id,
      user_id: id,
      project_id: projectId,
      role: 'guest',
      role_id: null,
      name: 'ana',
      username: 'ana',
    });
    expect((await admin.post(`${base}/users`, { user_id: id, role: 'manager' })).statusCode).toBe(409);
    expect((await admin.put(`${base}/users/${id}`, { user_id: id, role: 'task_runner' })).statusCode).toBe(204);
    expect((await client.get(`${base}/role`)).json()).toEqual({
      role: 'task_runner',
      role_id: null,
      permissions: 1,
      rights: ['run_tasks', 'stop_tasks'],
      templates: [],
    });
    expect(await roles()).toEqual({ admin: 'owner', ana: 'task_runner' });
    expect((await admin.del(`${base}/users/${id}`)).statusCode).toBe(204);
    expect((await client.get(base)).statusCode).toBe(404);
    expect((await admin.get(`${base}/users/${id}`)).statusCode).toBe(404);
    const messages = (await admin.get(`${base}/events/last`)).json<{ description: string }[]>().slice(0, 3);
    expect(messages.map(({ description }) => description)).toEqual([
      'ana removed from the team',
      'ana is now Task Runner',
      'ana added to the team as Guest',
    ]);
  });

  it('refuses unknown users and roles', async () => {
    const { admin, adminId, base, member } = await setUp(makeLocation);
    const { id } = await member('ana', 'guest');
    for (const body of [
      { user_id: 999_999, role: 'guest' },
      { user_id: id, role: 'king' },
      { user_id: id },
      { role: 'guest' },
    ]) {
      expect((await admin.post(`${base}/users`, body)).statusCode, JSON.stringify(body)).toBe(400);
    }
    expect((await admin.put(`${base}/users/${id}`, { user_id: adminId, role: 'owner' })).statusCode).toBe(400);
    expect((await admin.put(`${base}/users/${id}`, { role: null })).statusCode).toBe(400);
    expect((await admin.put(`${base}/users/999999`, { role: 'guest' })).statusCode).toBe(404);
  });

  it('always has an owner: the last one cannot leave or be removed', async () => {
    const { admin, adminId, base, member, roles } = await setUp(makeLocation);
    const ana = await member('ana', 'owner');
    expect((await ana.client.del(`${base}/me`)).statusCode).toBe(409);
    expect((await admin.del(`${base}/users/${adminId}`)).statusCode).toBe(204);
    for (const attempt of [
      admin.put(`${base}/users/${ana.id}`, { role: 'manager' }),
      admin.del(`${base}/users/${ana.id}`),
      admin.del(`/users/${ana.id}`),
      ana.client.del(`${base}/me`),
      ana.client.put(`${base}/users/${ana.id}`, { role: 'guest' }),
    ]) {
      const answer = await attempt;
      expect(answer.statusCode, answer.body).toBe(409);
    }
    expect(await roles()).toEqual({ ana: 'owner' });
  });

  it('keeps one of two owners who leave at the same moment', async () => {
    const { admin, adminId, base, member, roles } = await setUp(makeLocation);
    const ana = await member('ana', 'owner');
    const answers = await Promise.all([
      admin.del(`${base}/users/${ana.id}`),
      admin.put(`${base}/users/${adminId}`, { role: 'guest' }),
    ]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([204, 409]);
    expect(Object.values(await roles())).toContain('owner');
  });

  it('has an owner at every moment while 100 members are added, changed, removed and leave simultaneously', async () => {
    const { server, admin, adminId, base, projectId, member } = await setUp(makeLocation);
    const members = await Promise.all(Array.from({ length: 9 }, (_, n) => member(`owner ${n}`, 'owner')));
    const people = [...members, { client: admin, id: adminId }];
    const { read } = server.storage.database;
    const owners = async (): Promise<number> => {
      const rows = await read
        .selectFrom('project_user')
        .select('user_id')
        .where('project_id', '=', projectId)
        .where('role', '=', 'owner')
        .execute();
      return rows.length;
    };
    let changing = true;
    let fewest = people.length;
    const watched = (async () => {
      while (changing) {
        fewest = Math.min(fewest, await owners());
        await new Promise(setImmediate);
      }
    })();
    const change = async (n: number) => {
      const { client, id } = people[n % people.length] as (typeof people)[number];
      const attempts = [
        () => admin.del(`${base}/users/${id}`),
        () => admin.put(`${base}/users/${id}`, { role: 'guest' }),
        () => client.put(`${base}/users/${id}`, { role: 'manager' }),
        () => client.del(`${base}/me`),
        () => admin.post(`${base}/users`, { user_id: id, role: 'manager' }),
      ] as const;
      // Each of the first users would revoke the ownership of another one, and together leave no owner.
      const round = Math.floor(n / people.length);
      return await (attempts[round % 2 ? 3 + (n % 2) : (n + round) % 3] as (typeof attempts)[number])();
    };
    const answers = await Promise.all(Array.from({ length: 100 }, (_, n) => change(n)));
    changing = false;
    await watched;
    for (const { statusCode, body } of answers) expect([204, 403, 404, 409], body).toContain(statusCode);
    expect(fewest).toBeGreaterThan(0);
    expect(await owners()).toBe(1);
    expect(answers.filter(({ body }) => body.includes('A project needs an owner')).length).toBeGreaterThan(0);
  });

  it('can be left, except by its last owner; an admin who is not a member cannot leave', async () => {
    const { admin, adminId, base, member, roles } = await setUp(makeLocation);
    const ana = await member('ana', 'manager');
    expect((await admin.del(`${base}/me`)).statusCode).toBe(409);
    expect((await ana.client.del(`${base}/me`)).statusCode).toBe(204);
    expect((await ana.client.del(`${base}/me`)).statusCode).toBe(404);
    const heir = await member('heir', 'owner');
    await heir.client.del(`${base}/users/${adminId}`);
    expect((await admin.get(`${base}/role`)).json()).toMatchObject({ role: '', permissions: 15 });
    expect((await admin.del(`${base}/me`)).statusCode).toBe(204);
    expect(await roles()).toEqual({ heir: 'owner' });
  });

  it('offers the four roles', async () => {
    const { admin, base } = await setUp(makeLocation);
    expect((await admin.get(`${base}/roles`)).json()).toMatchObject([
      { slug: 'owner', title: 'Owner' },
      { slug: 'manager', title: 'Manager' },
      { slug: 'task_runner', title: 'Task Runner' },
      { slug: 'guest', title: 'Guest' },
    ]);
  });
});
