import { expect, it } from 'vitest';
import { describeOneDatabase, type MakePlace } from '../../testing/databases.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { startSignOn, whoIs } from '../../testing/sign-on.ts';

const RULES = {
  admin_groups: ['root', 'wheel'],
  project_roles: [
    { group: 'dev', project: 'Sample', role: 'task_runner' },
    { group: 'lead', project: 'Sample', role: 'owner' },
    { group: 'guests', project: 'Sample', role: 'guest' },
    { group: 'dev', project: 2, role: 'manager' },
    { group: 'dev', project: 'No such project', role: 'owner' },
  ],
};

const setUp = async (makePlace: MakePlace, provider: object = RULES) => {
  const one = await startSignOn(makePlace, provider);
  const admin = await one.server.signIn();
  const sample = await sampleProject(admin, 'Sample');
  const second = await sampleProject(admin, 'Second');
  expect([sample.projectId, second.projectId]).toEqual([1, 2]);
  const roleIn = async (project: number, id: number): Promise<string | undefined> =>
    (await admin.get(`/project/${project}/users`)).json<{ id: number; role: string }[]>().find((user) => user.id === id)
      ?.role;
  /** Signs in with these groups; answers what it gave. */
  const enter = async (login: string, groups: unknown) => {
    one.idp.people.set(login, { sub: login, groups: groups as string[] });
    const { client, to } = await one.signOn(login);
    expect(to).toBe('/box/');
    const user = await whoIs(client);
    return { client, ...user, roles: [await roleIn(1, user.id), await roleIn(2, user.id)] };
  };
  return { ...one, admin, enter, roleIn };
};

describeOneDatabase('groups of a provider', (makePlace) => {
  it('give roles in projects, the highest of several, and take them away again', async () => {
    const { enter, admin } = await setUp(makePlace);
    expect((await enter('mara', ['dev', 'guests', 'unknown'])).roles).toEqual(['task_runner', 'manager']);
    expect((await enter('mara', ['dev', 'lead'])).roles).toEqual(['owner', 'manager']);
    expect((await enter('mara', ['guests'])).roles).toEqual(['guest', undefined]);
    expect((await enter('mara', undefined)).roles).toEqual([undefined, undefined]);
    expect((await enter('mara', 'dev')).roles).toEqual(['task_runner', 'manager']);
    const told = (await admin.get('/project/1/events')).json<{ description: string }[]>();
    expect(told.map(({ description }) => description)).toContain('mara removed from the team by the groups of Corp');
  });

  it('make administrators and end that, but never of the last one', async () => {
    const { enter, server } = await setUp(makePlace);
    const mara = await enter('mara', ['wheel']);
    expect(mara.admin).toBe(true);
    expect((await mara.client.get('/users')).json<object[]>()[0]).toHaveProperty('email');
    expect((await enter('mara', [])).admin).toBe(false);
    expect((await enter('mara', ['root'])).admin).toBe(true);
    await server.storage.database.autocommit
      .updateTable('users')
      .set({ admin: 0 })
      .where('username', '=', 'admin')
      .execute();
    expect((await enter('mara', [])).admin).toBe(true);
  });

  it('leave the last owner of a project in it', async () => {
    const { enter, admin } = await setUp(makePlace);
    const mara = await enter('mara', ['lead']);
    expect((await admin.del('/project/1/users/1')).statusCode).toBe(204);
    expect((await enter('mara', ['guests'])).roles[0]).toBe('owner');
    await enter('ivo', ['lead']);
    expect((await enter('mara', ['guests'])).roles[0]).toBe('guest');
    expect(mara.id).toBeGreaterThan(1);
  });

  it('say nothing of projects and rights that no rule speaks of, nor of users of our own', async () => {
    const { enter, admin, server } = await setUp(makePlace, {
      project_roles: [{ group: 'dev', project: 'Sample', role: 'guest' }],
      link_by_verified_email: true,
    });
    const mara = await enter('mara', ['dev', 'root']);
    expect([mara.admin, ...mara.roles]).toEqual([false, 'guest', undefined]);
    await admin.put(`/users/${mara.id}`, { admin: true });
    await admin.post('/project/2/users', { user_id: mara.id, role: 'manager' });
    const again = await enter('mara', []);
    expect([again.admin, ...again.roles]).toEqual([true, undefined, 'manager']);
    const local = { name: 'Ana', username: 'ana', email: 'ana@example.com', password: 'a password' };
    await admin.post('/users', local);
    expect((await enter('ana', ['dev'])).roles).toEqual([undefined, undefined]);
    await server.signIn('ana', 'a password');
  });

  it('are read from where the settings say, also from within other claims', async () => {
    const { enter, idp } = await setUp(makePlace, { ...RULES, groups_claim: 'realm_access.roles' });
    expect((await enter('mara', ['dev'])).roles).toEqual([undefined, undefined]);
    idp.tampering.idToken = (claims) => ({ ...claims, realm_access: { roles: ['lead', 7, null] } });
    expect((await enter('mara', ['dev'])).roles).toEqual(['owner', undefined]);
  });
});
