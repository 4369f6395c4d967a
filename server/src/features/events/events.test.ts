import type { Event } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { describeOneDatabase, type MakeLocation } from '../../testing/database/databases.ts';
import { addMember, sampleProject } from '../../testing/sample-project.ts';
import { type Client, startTestServer } from '../../testing/test-server.ts';

const setUp = async (makeLocation: MakeLocation) => {
  const server = await startTestServer(await makeLocation());
  const admin = await server.signIn();
  const [one, two] = [await sampleProject(admin, 'One'), await sampleProject(admin, 'Two')];
  const ana = await addMember(server, 'ana', { projectId: one.projectId, role: 'guest' });
  const events = async (client: Client, path: string) => (await client.get(path)).json<Event[]>();
  return { server, admin, ana, one, two, events };
};

describeOneDatabase('[S11] events', (makeLocation) => {
  it('describe who did what to which object, without addresses', async () => {
    const { ana, one, events } = await setUp(makeLocation);
    const [newest] = await events(ana, `${one.base}/events/last`);
    expect(newest).toEqual({
      id: expect.any(Number),
      user_id: 1,
      project_id: one.projectId,
      object_id: one.environmentId,
      object_type: 'environment',
      kind: 'environment.created',
      params: { name: 'Empty' },
      description: 'Environment Empty created',
      created: expect.stringMatching(/Z$/),
      object_name: 'Empty',
      project_name: 'One',
      username: 'admin',
      token_name: '',
    });
  });

  it('are shown for the user’s own projects; an admin sees all events', async () => {
    const { admin, ana, one, two, events } = await setUp(makeLocation);
    const own = await events(ana, '/events');
    expect(own).toEqual(await events(admin, `${one.base}/events`));
    expect(own).toEqual(await events(ana, '/events/last'));
    const all = await events(admin, '/events');
    expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).toSorted((a, b) => b - a));
    expect(new Set(all.map(({ project_id }) => project_id))).toEqual(new Set([null, one.projectId, two.projectId]));
    expect(all.map(({ description }) => description)).toContain('User ana signed in');
    expect((await ana.get(`${two.base}/events`)).statusCode).toBe(404);
  });

  it('are returned in pages, in the requested order', async () => {
    const { admin, one, events } = await setUp(makeLocation);
    const all = await events(admin, `${one.base}/events`);
    const second = await events(admin, `${one.base}/events?limit=2&before=${all[1]?.id}`);
    expect(second).toEqual(all.slice(2, 4));
    expect(await events(admin, `/events?limit=3`)).toHaveLength(3);
    expect(await events(admin, `${one.base}/events/last?order=asc`)).toEqual(all.toReversed());
    const sorted = (await events(admin, `${one.base}/events?sort=description`)).map(({ description }) => description);
    expect(sorted[0]).toBe('Environment Empty created');
    expect(sorted.at(-1)).toBe('Repository Playbooks created');
  });

  it('have a kind with typed parameters, and previous values where they matter', async () => {
    const { admin, one, server, events } = await setUp(makeLocation);
    const newest = async () => {
      const [event] = await events(admin, `${one.base}/events/last?limit=1`);
      return event && { kind: event.kind, params: event.params, description: event.description };
    };
    const client = await addMember(server, 'bob', { projectId: one.projectId, role: 'guest' });
    const { id } = (await client.get('/user')).json<{ id: number }>();
    await admin.put(`${one.base}/users/${id}`, { role: 'manager' });
    expect(await newest()).toEqual({
      kind: 'team.role_changed',
      params: { user: 'bob', role: { code: 'role.manager' }, old_role: { code: 'role.guest' } },
      description: 'bob is now Manager',
    });
    const template = await one.template({ name: 'First' });
    await admin.put(`${one.base}/templates/${template}`, { name: 'Second', playbook: 'other.yml' });
    expect(await newest()).toEqual({
      kind: 'template.changed',
      params: { name: 'Second', old_name: 'First', fields: 'name, playbook' },
      description: 'Template Second changed',
    });
    await admin.put(`${one.base}/environment/${one.environmentId}`, { json: '{"token":"swordfish"}' });
    expect(await newest()).toEqual({
      kind: 'environment.changed',
      params: { name: 'Empty', fields: 'json' },
      description: 'Environment Empty changed',
    });
    const task = await admin.post(`${one.base}/tasks`, { template_id: template });
    const { id: taskId } = task.json<{ id: number }>();
    expect(await newest()).toEqual({
      kind: 'task.started',
      params: { id: taskId, template: 'Second' },
      description: `Task #${taskId} of Second started`,
    });
  });

  it('keep the name of a deleted user, as tasks do', async () => {
    const { admin, one, events, server } = await setUp(makeLocation);
    const manager = await addMember(server, 'bob', { projectId: one.projectId, role: 'manager' });
    await manager.post(`${one.base}/views`, { title: 'His' });
    const { id } = (await manager.get('/user')).json<{ id: number }>();
    const task = await manager.post(`${one.base}/tasks`, { template_id: await one.template() });
    expect((await admin.del(`/users/${id}`)).statusCode).toBe(204);
    const { id: taskId } = task.json<{ id: number }>();
    expect((await admin.get(`${one.base}/tasks/${taskId}`)).json()).toMatchObject({ user_id: null, user_name: 'bob' });
    const byBob = (await events(admin, `${one.base}/events/last`)).filter(({ username }) => username === 'bob');
    expect(byBob.map(({ user_id, description }) => [user_id, description.replace(/#.*/, '')])).toEqual([
      [null, 'Task '],
      [null, 'View His created'],
    ]);
  });
});
