import type { CustomRole, OwnRole, RoleChoice } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { describeEachDatabase } from '../../testing/database/databases.ts';
import { addMember, sampleProject } from '../../testing/sample-project.ts';
import { type Client, startTestServer } from '../../testing/test-server.ts';

const idOf = async (client: Client): Promise<number> => (await client.get('/user')).json<{ id: number }>().id;

describeEachDatabase('roles of a project and of the system', (makeLocation) => {
  const setUp = async () => {
    const server = await startTestServer(await makeLocation());
    const admin = await server.signIn();
    const { base, projectId, template } = await sampleProject(admin);
    const client = await addMember(server, 'ana', { projectId, role: 'guest' });
    const userId = await idOf(client);
    const role = async (path: string, name: string, rights: readonly string[] = []) =>
      (await admin.post(path, { name, rights })).json<CustomRole>();
    const give = (role_id: number) => admin.put(`${base}/users/${userId}`, { role: 'custom', role_id });
    const events = async (count: number) =>
      (await admin.get(`${base}/events/last`))
        .json<{ description: string }[]>()
        .slice(0, count)
        .map(({ description }) => description);
    return { server, admin, base, projectId, template, client, userId, role, give, events };
  };

  it('give a member exactly their rights, at once when the role changes', async () => {
    const { admin, base, template, client, role, give, events } = await setUp();
    const { id } = await role(`${base}/roles`, 'Release lead', ['stop_tasks', 'run_tasks']);
    expect((await give(id)).statusCode).toBe(204);
    expect((await client.get(`${base}/role`)).json<OwnRole>()).toEqual({
      role: 'custom',
      role_id: id,
      permissions: 17,
      rights: ['run_tasks', 'stop_tasks'],
      templates: [],
    });
    const body = { template_id: await template({ name: 'Deploy' }) };
    expect((await client.post(`${base}/tasks`, body)).statusCode).toBe(201);
    expect((await client.post(`${base}/labels`, { name: 'one' })).statusCode).toBe(403);
    const change = { name: 'Librarian', rights: ['edit_templates'] };
    expect((await admin.put(`${base}/roles/${id}`, change)).statusCode).toBe(204);
    expect((await client.post(`${base}/tasks`, body)).statusCode).toBe(403);
    expect((await client.post(`${base}/labels`, { name: 'one' })).statusCode).toBe(201);
    expect(await events(2)).toEqual(['Label one created', 'Role Librarian changed']);
    expect(await events(9)).toContain('ana is now Release lead');
  });

  it('of the system can be given in every project, and those of another project cannot', async () => {
    const { admin, base, client, role, give } = await setUp();
    const other = await sampleProject(admin, 'Other');
    const [ofSystem, foreign] = [
      await role('/roles', 'Operator', ['stop_tasks']),
      await role(`${other.base}/roles`, 'X'),
    ];
    expect((await give(ofSystem.id)).statusCode).toBe(204);
    expect((await client.get(`${base}/role`)).json<OwnRole>().rights).toEqual(['stop_tasks']);
    const refused = await give(foreign.id);
    expect([refused.statusCode, Object.keys(refused.json().fields)]).toEqual([400, ['role_id']]);
    const choices = (await admin.get(`${base}/roles`)).json<RoleChoice[]>();
    expect(choices.map(({ slug, title }) => [slug, title])).toEqual([
      ['owner', 'Owner'],
      ['manager', 'Manager'],
      ['task_runner', 'Task Runner'],
      ['guest', 'Guest'],
      ['custom', 'Operator'],
    ]);
    // The owner of a project can't change a role of the system.
    expect((await admin.put(`${base}/roles/${ofSystem.id}`, { name: 'Mine' })).statusCode).toBe(404);
    expect((await admin.get(`/roles/${foreign.id}`)).statusCode).toBe(404);
  });

  it('cannot be deleted while a member has them, and end with their project', async () => {
    const { admin, base, userId, role, give } = await setUp();
    const { id } = await role(`${base}/roles`, 'Release lead');
    await give(id);
    const refused = await admin.del(`${base}/roles/${id}`);
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'in_use.role']);
    // A fixed role replaces the other one.
    expect((await admin.put(`${base}/users/${userId}`, { role: 'manager' })).statusCode).toBe(204);
    expect((await admin.get(`${base}/users/${userId}`)).json()).toMatchObject({ role: 'manager', role_id: null });
    expect((await admin.del(`${base}/roles/${id}`)).statusCode).toBe(204);
    await give((await role(`${base}/roles`, 'Another')).id);
    expect((await admin.del(base)).statusCode).toBe(204);
  });

  it('have unique names, only rights that they can have, and no owner as their start', async () => {
    const { admin, base, userId, role } = await setUp();
    await role(`${base}/roles`, 'Lead');
    const taken = await admin.post(`${base}/roles`, { name: 'Lead', rights: [] });
    expect([taken.statusCode, taken.json().code]).toEqual([409, 'conflict.role_name_taken']);
    expect((await role('/roles', 'Lead')).id).toBeGreaterThan(0);
    for (const body of [
      { name: 'A', rights: ['manage_users'] },
      { name: 'B', rights: ['update_project'] },
      { name: 'C', rights: [], starts_from: 'owner' },
      { name: 'D' },
    ])
      expect((await admin.post(`${base}/roles`, body)).statusCode, JSON.stringify(body)).toBe(400);
    for (const body of [{ role: 'custom' }, { role: 'guest', role_id: 1 }, { role: 'custom', role_id: 999_999 }])
      expect((await admin.put(`${base}/users/${userId}`, body)).statusCode, JSON.stringify(body)).toBe(400);
  });

  it('with every right to edit may do what managers may do with objects, and no more', async () => {
    const { admin, base, client, role, give } = await setUp();
    const rights = ['edit_templates', 'edit_schedules', 'edit_inventories', 'edit_repositories', 'edit_keys'];
    await give((await role(`${base}/roles`, 'Editor', rights)).id);
    expect((await client.get(`${base}/role`)).json<OwnRole>().permissions & 15).toBe(4);
    expect((await client.post(`${base}/keys`, { name: 'k', type: 'none' })).statusCode).toBe(201);
    expect((await client.put(base, { name: 'Mine' })).statusCode).toBe(403);
    expect((await client.post(`${base}/users`, { user_id: 1, role: 'owner' })).statusCode).toBe(403);
    expect((await client.post(`${base}/roles`, { name: 'More', rights: ['run_tasks'] })).statusCode).toBe(403);
    expect((await admin.get(`${base}/roles`)).json<RoleChoice[]>()).toHaveLength(5);
  });
});
