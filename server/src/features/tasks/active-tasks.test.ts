import type { ActiveTask, SelectionOutcome, Task } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { addMember, sampleProject } from '../../testing/sample-project.ts';
import { describeOneServer } from '../../testing/test-server.ts';

describeOneServer('the tasks of all projects that have not ended', (shared) => {
  const setUp = async (name: string) => {
    const server = shared();
    const admin = await server.signIn();
    const [one, two] = [await sampleProject(admin, `${name} one`), await sampleProject(admin, `${name} two`)];
    const start = async (sample: typeof one) =>
      (await admin.post(`${sample.base}/tasks`, { template_id: await sample.template() })).json<Task>().id;
    const ids = [await start(one), await start(two), await start(one)] as const;
    const member = await addMember(server, `runner-${name}`, { projectId: one.projectId, role: 'task_runner' });
    return { server, admin, one, two, ids, member };
  };

  it('are listed newest first for members of their projects, with what they may stop', async () => {
    const { server, admin, one, two, ids, member } = await setUp('listed');
    const list = async (client = member, query = '') =>
      (await client.get(`/tasks/active${query}`)).json<ActiveTask[]>();
    const found = await list();
    expect(found.map(({ id }) => id)).toEqual([ids[2], ids[0]]);
    expect(found[0]).toMatchObject({ project_id: one.projectId, project_name: 'listed one', may_stop: true });
    expect(found[0]).not.toHaveProperty('environment');
    const guest = await addMember(server, 'guest-listed', { projectId: two.projectId, role: 'guest' });
    expect((await list(guest)).map(({ id, may_stop }) => [id, may_stop])).toEqual([[ids[1], false]]);
    expect(await list(await addMember(server, 'nobody-listed'))).toEqual([]);
    expect((await list(admin)).map(({ id }) => id)).toEqual(expect.arrayContaining([...ids]));
    const page = await member.get('/tasks/active?limit=1');
    expect([page.json<ActiveTask[]>().length, page.headers['x-has-next']]).toEqual([1, 'true']);
    await admin.post(`${one.base}/tasks/${ids[2]}/stop`, {});
    expect((await list()).map(({ id }) => id)).toEqual([ids[0]]);
  });

  it('are stopped together, and each that cannot be stopped is named with the reason', async () => {
    const { server, admin, one, two, ids, member } = await setUp('stopped');
    await admin.post(`${one.base}/tasks/${ids[2]}/stop`, {});
    const stop = async (client: typeof member, chosen: readonly number[]) =>
      (await client.post('/tasks/stop', { ids: chosen })).json<SelectionOutcome>();
    const { done, refused } = await stop(member, [ids[0], ids[0], ids[1], ids[2], 999_999]);
    expect(done).toEqual([ids[0]]);
    expect(refused.map(({ id, code, params }) => [id, code, params])).toEqual([
      [ids[1], 'not_found', {}],
      [ids[2], 'conflict.task_ended', { id: ids[2] }],
      [999_999, 'not_found', {}],
    ]);
    expect((await admin.get(`${one.base}/tasks/${ids[0]}`)).json<Task>()).toMatchObject({
      status: 'stopped',
      end_reason: { code: 'stop.user', params: { user: 'runner-stopped' } },
    });
    const [event] = (await admin.get(`${one.base}/events/last`)).json<{ kind: string; object_id: number }[]>();
    expect(event).toMatchObject({ kind: 'task.stop_requested', object_id: ids[0] });
    const guest = await addMember(server, 'guest-stopped', { projectId: two.projectId, role: 'guest' });
    expect((await stop(guest, [ids[1]])).refused).toMatchObject([{ id: ids[1], code: 'not_permitted' }]);
    expect((await stop(admin, [ids[1]])).done).toEqual([ids[1]]);
    for (const bad of [[], Array.from({ length: 201 }, (_, at) => at + 1), ['x']])
      expect((await admin.post('/tasks/stop', { ids: bad })).statusCode).toBe(400);
  });

  it('[S2] are stopped by a guest with a grant only on their template, each decided on its own', async () => {
    const { server, admin, one } = await setUp('granted');
    const [open, closed] = [await one.template(), await one.template()];
    const start = async (template_id: number) =>
      (await admin.post(`${one.base}/tasks`, { template_id })).json<Task>().id;
    const ids = [await start(open), await start(closed), await start(open)];
    const guest = await addMember(server, 'guest-granted', { projectId: one.projectId, role: 'guest' });
    const user_id = (await guest.get('/user')).json<{ id: number }>().id;
    await admin.post(`${one.base}/grants`, { template_id: open, user_id, rights: ['run'] });
    const { done, refused } = (await guest.post('/tasks/stop', { ids })).json<SelectionOutcome>();
    expect(done).toEqual([ids[0], ids[2]]);
    expect(refused).toMatchObject([{ id: ids[1], code: 'not_permitted' }]);
  });
});

describeOneServer('a token that is restricted to a project', (shared) => {
  it('reads the active tasks and schedules of this project only, and stops none in other projects', async () => {
    const server = shared();
    const admin = await server.signIn();
    const samples = [await sampleProject(admin, 'Mine'), await sampleProject(admin, 'Other')];
    for (const { base, template } of samples) {
      const template_id = await template();
      await admin.post(`${base}/tasks`, { template_id });
      await admin.post(`${base}/schedules`, { template_id, cron_format: '0 4 * * *', name: base });
    }
    const owner = await addMember(server, 'token-owner', { projectId: samples[0]?.projectId ?? 0, role: 'owner' });
    const users = (await admin.get('/users')).json<{ id: number; username: string }[]>();
    const user_id = users.find(({ username }) => username === 'token-owner')?.id;
    await admin.post(`${samples[1]?.base}/users`, { user_id, role: 'owner' });
    const body = { name: 'Limited', scopes: ['run'], projects: [samples[0]?.projectId] };
    const { token } = (await owner.post('/user/tokens', body)).json<{ token: string }>();
    const get = async (path: string) =>
      (await server.anonymous.send({ url: `/api${path}`, headers: { authorization: `Bearer ${token}` } })).json<
        { project_id: number }[]
      >();
    for (const path of ['/tasks/active', '/schedules'])
      expect(
        (await get(path)).map(({ project_id }) => project_id),
        path,
      ).toEqual([samples[0]?.projectId]);
  });
});
