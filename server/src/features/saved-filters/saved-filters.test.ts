import type { SavedFilter, Task } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { describeEachDatabase } from '../../testing/database/databases.ts';
import { addMember, sampleProject } from '../../testing/sample-project.ts';
import { startTestServer } from '../../testing/test-server.ts';

describeEachDatabase('saved filters', (makeLocation) => {
  const setUp = async () => {
    const server = await startTestServer(await makeLocation());
    const admin = await server.signIn();
    const sample = await sampleProject(admin);
    const { base, projectId } = sample;
    const path = `${base}/filters`;
    const ada = await addMember(server, 'ada', { projectId, role: 'guest' });
    const mia = await addMember(server, 'mia', { projectId, role: 'manager' });
    const save = async (client: typeof admin, body: object) => {
      const answer = await client.post(path, body);
      expect(answer.statusCode, answer.body).toBe(201);
      return answer.json<SavedFilter>();
    };
    const list = async (client: typeof admin) => (await client.get(path)).json<SavedFilter[]>();
    const names = async (client: typeof admin) =>
      (await list(client)).map(({ name, shared }) => (shared ? `${name} (shared)` : name));
    return { server, admin, ada, mia, sample, base, path, save, list, names };
  };

  it('are seen by their owner only, or by the project if a manager shares them', async () => {
    const { admin, ada, mia, sample, path, save, names } = await setUp();
    const filter = { search: 'web', status: 'error', template_id: await sample.template() };
    const own = await save(ada, { name: 'Failed', filter });
    const all = { ...filter, end_reason: null, user_id: null, days: null, from: null, to: null };
    expect(own).toEqual({ id: own.id, project_id: sample.projectId, name: 'Failed', shared: false, filter: all });
    const shared = await save(mia, { name: 'Failed', shared: true });
    expect([await names(ada), await names(mia)]).toEqual([['Failed', 'Failed (shared)'], ['Failed (shared)']]);
    for (const call of [mia.get, mia.del, admin.get]) expect((await call(`${path}/${own.id}`)).statusCode).toBe(404);
    for (const refused of [
      await ada.post(path, { name: 'Other', shared: true }),
      await ada.put(`${path}/${own.id}`, { shared: true }),
      await ada.put(`${path}/${shared.id}`, { name: 'Other' }),
      await ada.del(`${path}/${shared.id}`),
    ])
      expect(refused.statusCode).toBe(403);
    const twice = await ada.post(path, { name: 'Failed' });
    expect([twice.statusCode, twice.json().code]).toEqual([409, 'conflict.saved_filter_name_taken']);
    expect((await ada.put(`${path}/${own.id}`, { name: 'Stopped', filter: { status: 'stopped' } })).statusCode).toBe(
      204,
    );
    expect((await ada.get(`${path}/${own.id}`)).json()).toMatchObject({
      name: 'Stopped',
      filter: { search: '', status: 'stopped', template_id: null },
    });
    expect((await mia.put(`${path}/${shared.id}`, { shared: false })).statusCode).toBe(204);
    expect([await names(ada), await names(mia)]).toEqual([['Stopped'], ['Failed']]);
    expect((await ada.del(`${path}/${own.id}`)).statusCode).toBe(204);
    expect(await names(ada)).toEqual([]);
  });

  it('[S2] for a restricted template are hidden with it, also in the activity', async () => {
    const { admin, mia, sample, base, path, save, names } = await setUp();
    const template_id = await sample.template({ restricted: true });
    const hidden = await save(admin, { name: 'Secret', shared: true, filter: { template_id } });
    await save(admin, { name: 'Open', shared: true });
    expect(await names(mia)).toEqual(['Open (shared)']);
    expect((await mia.get(`${path}/${hidden.id}`)).statusCode).toBe(404);
    expect((await mia.put(`${path}/${hidden.id}`, { name: 'Mine' })).statusCode).toBe(404);
    const guessed = await mia.post(path, { name: 'Guess', filter: { template_id } });
    const unknown = await mia.post(path, { name: 'Guess', filter: { template_id: 999_999 } });
    expect([guessed.statusCode, guessed.json()]).toEqual([400, unknown.json()]);
    const seen = async (client: typeof admin) => (await client.get(`${base}/events/last`)).body;
    expect([(await seen(admin)).includes('Secret'), (await seen(mia)).includes('Secret')]).toEqual([true, false]);
    expect(await seen(mia)).toContain('Saved filter Open created');
    expect((await admin.del(`${base}/templates/${template_id}`)).statusCode).toBe(204);
    expect(await names(admin)).toEqual(['Open (shared)']);
  });

  it('keep a number of days, or a first and a last day', async () => {
    const { ada, path, save } = await setUp();
    const { id } = await save(ada, { name: 'May', filter: { from: '2026-05-01', to: '2026-05-31' } });
    const filter = async () => (await ada.get(`${path}/${id}`)).json<SavedFilter>().filter;
    expect(await filter()).toMatchObject({ days: null, from: '2026-05-01', to: '2026-05-31' });
    expect((await ada.put(`${path}/${id}`, { filter: { days: 7 } })).statusCode).toBe(204);
    expect(await filter()).toMatchObject({ days: 7, from: null, to: null });
    for (const [field, value] of [
      ['days', 0],
      ['days', 3651],
      ['from', '2026-02-30'],
      ['to', 'today'],
    ] as const) {
      const refused = await ada.put(`${path}/${id}`, { filter: { [field]: value } });
      expect([refused.statusCode, refused.json().fields]).toEqual([400, { [`filter.${field}`]: expect.any(String) }]);
    }
  });

  it('of one user are in the activity of that user and of owners only', async () => {
    const { admin, ada, mia, base, path, save } = await setUp();
    const { id } = await save(ada, { name: 'Private' });
    await ada.del(`${path}/${id}`);
    const seen = async (client: typeof admin) => (await client.get(`${base}/events/last`)).body.includes('Private');
    expect([await seen(admin), await seen(mia)]).toEqual([true, false]);
  });

  it('for a user accept members and users who started tasks, and are deleted with the user', async () => {
    const { server, admin, sample, base, path, save, list } = await setUp();
    const user = async (name: string) => {
      const client = await addMember(server, name, { projectId: sample.projectId, role: 'task_runner' });
      return { client, id: (await client.get('/user')).json<{ id: number }>().id };
    };
    const [gone, left] = [await user('gone'), await user('left')];
    const stranger = await admin.post('/users', {
      ...{ name: 'Eve', username: 'eve', email: 'eve@example.com', password: 'a good password' },
    });
    await save(admin, { name: 'Of gone', shared: true, filter: { user_id: gone.id } });
    const task = await left.client.post(`${base}/tasks`, { template_id: await sample.template() });
    expect(task.json<Task>().user_id).toBe(left.id);
    expect((await admin.del(`${base}/users/${left.id}`)).statusCode).toBe(204);
    await save(admin, { name: 'Of left', shared: true, filter: { user_id: left.id } });
    for (const user_id of [stranger.json<{ id: number }>().id, 999_999]) {
      const refused = await admin.post(path, { name: 'Of Eve', filter: { user_id } });
      expect([refused.statusCode, refused.json().fields]).toEqual([400, { 'filter.user_id': expect.any(String) }]);
    }
    expect((await admin.del(`/users/${gone.id}`)).statusCode).toBe(204);
    expect((await list(admin)).map(({ name }) => name)).toEqual(['Of left']);
  });

  it('are at most twenty of each owner', async () => {
    const { ada, mia, path, save } = await setUp();
    for (let n = 0; n < 20; n++) await save(mia, { name: `Filter ${n}`, shared: true });
    const own = await save(mia, { name: 'Own' });
    const full = await mia.post(path, { name: 'One more', shared: true });
    expect([full.statusCode, full.json().code]).toEqual([409, 'conflict.saved_filters_full']);
    expect((await mia.put(`${path}/${own.id}`, { shared: true })).json().code).toBe('conflict.saved_filters_full');
    expect((await ada.get(path)).json<SavedFilter[]>()).toHaveLength(20);
  });
});
