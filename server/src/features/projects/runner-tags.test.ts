import type { Inventory, Project } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { describeOneDatabase } from '../../testing/database/databases.ts';
import { addMember, sampleProject } from '../../testing/sample-project.ts';
import { startTestServer } from '../../testing/test-server.ts';

describeOneDatabase('runner tags of a project', (makeLocation) => {
  it('[S1] are changed by admins only, and other owners may send them back unchanged', async () => {
    const server = await startTestServer(await makeLocation());
    const admin = await server.signIn();
    const { base, projectId } = await sampleProject(admin);
    const owner = await addMember(server, 'olga', { projectId, role: 'owner' });
    const refusal = { code: 'not_permitted.admin_fields', params: { fields: 'runner_tags' } };
    const refused = await owner.put(base, { runner_tags: ['dmz'] });
    expect([refused.statusCode, refused.json()]).toMatchObject([403, refusal]);
    expect((await admin.put(base, { runner_tags: ['linux', 'dmz', 'dmz'] })).statusCode).toBe(204);
    const tags = async () => (await owner.get(base)).json<Project>().runner_tags;
    expect(await tags()).toEqual(['dmz', 'linux']);
    expect((await owner.put(base, { name: 'Renamed', runner_tags: ['linux', 'dmz'] })).statusCode).toBe(204);
    for (const runner_tags of [[], null]) expect((await owner.put(base, { runner_tags })).statusCode).toBe(403);
    expect(await tags()).toEqual(['dmz', 'linux']);
    const [event] = (await admin.get(`${base}/events`)).json<{ kind: string; params: object }[]>().slice(1);
    expect(event).toMatchObject({ kind: 'project.changed', params: { fields: 'runner_tags' } });
  });

  it('[S1] cannot be set in a new project by a user who is no admin', async () => {
    const server = await startTestServer(await makeLocation());
    const admin = await server.signIn();
    const user = await addMember(server, 'olga');
    const { id } = (await user.get('/user')).json<{ id: number }>();
    await admin.put(`/users/${id}`, { can_create_project: true });
    expect((await user.post('/projects', { name: 'Own', runner_tags: ['dmz'] })).statusCode).toBe(403);
    expect((await user.post('/projects', { name: 'Own' })).json()).toMatchObject({ runner_tags: [] });
  });
});

describeOneDatabase('runner tags of an inventory', (makeLocation) => {
  it('are those of a task whose template and launch name none', async () => {
    const server = await startTestServer(await makeLocation());
    const admin = await server.signIn();
    const { base, inventoryId, template, keyId } = await sampleProject(admin);
    await admin.put(`${base}/inventory/${inventoryId}`, { runner_tags: ['dmz'] });
    const other = { name: 'Lab', type: 'static', ssh_key_id: keyId, runner_tags: ['lab', 'lab'] };
    const lab = (await admin.post(`${base}/inventory`, other)).json<Inventory>();
    expect(lab.runner_tags).toEqual(['lab']);
    const prompts = { inventory_id: 'any', runner_tags: 'any' };
    const [plain, tagged] = [await template({ prompts }), await template({ options: { runner_tags: ['gpu'] } })];
    const tagsOf = async (template_id: number, more: object = {}) =>
      (await admin.post(`${base}/tasks`, { template_id, ...more })).json<{ runner_tags: string[] }>().runner_tags;
    expect(await tagsOf(plain)).toEqual(['dmz']);
    expect(await tagsOf(plain, { inventory_id: lab.id })).toEqual(['lab']);
    expect(await tagsOf(plain, { runner_tags: ['gpu'] })).toEqual(['gpu']);
    expect(await tagsOf(tagged)).toEqual(['gpu']);
    expect((await admin.get(`${base}/inventory`)).json<Inventory[]>().map((one) => one.runner_tags)).toEqual([
      ['dmz'],
      ['lab'],
    ]);
  });
});
