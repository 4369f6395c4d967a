import { expect, it } from 'vitest';
import { describeOneDatabase, type MakeLocation } from '../../testing/database/databases.ts';
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

const setUp = async (makeLocation: MakeLocation, provider: object = RULES) => {
  const one = await startSignOn(makeLocation, provider);
  const admin = await one.server.signIn();
  const sample = await sampleProject(admin, 'Sample');
  const second = await sampleProject(admin, 'Second');
  expect([sample.projectId, second.projectId]).toEqual([1, 2]);
  const roleIn = async (project: number, id: number): Promise<string | undefined> =>
    (await admin.get(`/project/${project}/users`)).json<{ id: number; role: string }[]>().find((user) => user.id === id)
      ?.role;
  /** Signs a user in with these groups. Returns the resulting rights. */
  const enter = async (login: string, groups: unknown) => {
    one.idp.people.set(login, { sub: login, groups: groups as string[] });
    const { client, to } = await one.signOn(login);
    expect(to).toBe('/box/');
    const user = await whoIs(client);
    return { client, ...user, roles: [await roleIn(1, user.id), await roleIn(2, user.id)] };
  };
  return { ...one, admin, enter, roleIn };
};

describeOneDatabase('groups of a provider', (makeLocation) => {
  it('grant roles in projects, the highest of several, and revoke them', async () => {
    const { enter, admin } = await setUp(makeLocation);
    expect((await enter('mara', ['dev', 'guests', 'unknown'])).roles).toEqual(['task_runner', 'manager']);
    expect((await enter('mara', ['dev', 'lead'])).roles).toEqual(['owner', 'manager']);
    expect((await enter('mara', ['guests'])).roles).toEqual(['guest', undefined]);
    expect((await enter('mara', undefined)).roles).toEqual([undefined, undefined]);
    expect((await enter('mara', 'dev')).roles).toEqual(['task_runner', 'manager']);
    const messages = (await admin.get('/project/1/events')).json<{ description: string }[]>();
    expect(messages.map(({ description }) => description)).toContain(
      'mara removed from the team by the groups of Corp',
    );
  });

  it('end the assignment of a failure with the membership', async () => {
    const { enter, server } = await setUp(makeLocation);
    const { id } = await enter('mara', ['dev']);
    const { database } = server.storage;
    const failure = {
      fingerprint: 'f',
      result: 'failed',
      cause: null,
      title: 'T',
      action: 'apt',
      step: 'S',
    } as const;
    const assigned = { assignee_id: id, assigned_by: 'mara', assigned_at: '2026-11-27T10:00:00.000Z' };
    for (const project_id of [1, 2])
      await database.autocommit
        .insertInto('failure')
        .values({ ...failure, ...assigned, project_id })
        .execute();
    await enter('mara', ['guests']);
    const rows = database.read.selectFrom('failure').select(['project_id', 'assignee_id']).orderBy('project_id');
    expect(await rows.execute()).toEqual([
      { project_id: 1, assignee_id: id },
      { project_id: 2, assignee_id: null },
    ]);
  });

  it('grant and revoke the admin right, except of the last admin', async () => {
    const { enter, server } = await setUp(makeLocation);
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

  it('keep the last owner of a project', async () => {
    const { enter, admin } = await setUp(makeLocation);
    const mara = await enter('mara', ['lead']);
    expect((await admin.del('/project/1/users/1')).statusCode).toBe(204);
    expect((await enter('mara', ['guests'])).roles[0]).toBe('owner');
    await enter('ivo', ['lead']);
    expect((await enter('mara', ['guests'])).roles[0]).toBe('guest');
    expect(mara.id).toBeGreaterThan(1);
  });

  it('do not affect projects and rights without a rule, nor local users', async () => {
    const { enter, admin, server } = await setUp(makeLocation, {
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

  it('are read from the configured claim, also from nested claims', async () => {
    const { enter, idp } = await setUp(makeLocation, { ...RULES, groups_claim: 'realm_access.roles' });
    expect((await enter('mara', ['dev'])).roles).toEqual([undefined, undefined]);
    idp.tampering.idToken = (claims) => ({ ...claims, realm_access: { roles: ['lead', 7, null] } });
    expect((await enter('mara', ['dev'])).roles).toEqual(['owner', undefined]);
  });
});
