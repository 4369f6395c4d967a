import type { Event, FreezeWindow, Task } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { EVERY_ENVIRONMENT } from '../../../execution-environments.ts';
import { addMember } from '../../../testing/sample-project.ts';
import { describeOneServer } from '../../../testing/test-server.ts';
import { webhookProject } from '../../../testing/webhook-project.ts';
import { endTask } from '../task-end.ts';

const REASON = 'The disk of the shop is full';

describeOneServer('a freeze window', (shared) => {
  const setUp = async (name: string) => {
    const admin = await shared().signIn();
    const project = await webhookProject(shared(), admin, name);
    const { base, projectId } = project.sample;
    const freeze = async (body: object = {}) =>
      (
        await admin.post(`${base}/freeze_windows`, {
          ...{ name: 'Year end', reason: 'Books are closed' },
          ...{ starts_at: '2020-01-01T00:00:00Z', ends_at: '2100-01-01T00:00:00Z', ...body },
        })
      ).json<FreezeWindow>().id;
    const events = async () => (await admin.get(`${base}/events/last`)).json<Event[]>();
    return { admin, ...project, projectId, path: `${base}/tasks`, freeze, events };
  };
  const WINDOW = { window: 'Year end', why: 'Books are closed', until: '2100-01-01T00:00:00.000Z' };

  it('lets only users who may manage resources start a task, with a reason that is stored', async () => {
    const { admin, sample, projectId, path, freeze, events } = await setUp('People');
    await freeze();
    const body = { template_id: await sample.template({ name: 'Patch' }) };
    const runner = await addMember(shared(), 'freeze-runner', { projectId, role: 'task_runner' });
    const manager = await addMember(shared(), 'freeze-manager', { projectId, role: 'manager' });
    for (const request of [body, { ...body, freeze_reason: REASON }]) {
      const refused = await runner.post(path, request);
      expect([refused.statusCode, refused.json()]).toMatchObject([
        403,
        { code: 'not_permitted.frozen', params: WINDOW },
      ]);
    }
    for (const request of [body, { ...body, freeze_reason: '  ' }]) {
      const refused = await manager.post(path, request);
      expect([refused.statusCode, refused.json()]).toMatchObject([409, { code: 'conflict.frozen', params: WINDOW }]);
      expect(refused.json().error).toContain('Books are closed');
    }
    expect((await manager.post(path, { ...body, freeze_reason: 'x'.repeat(1025) })).statusCode).toBe(400);
    expect((await admin.get(path)).json()).toEqual([]);
    const started = await manager.post(path, { ...body, freeze_reason: ` ${REASON} ` });
    expect([started.statusCode, started.json()]).toMatchObject([
      201,
      { freeze_window: 'Year end', freeze_reason: REASON },
    ]);
    const { id } = started.json<Task>();
    expect((await events())[0]).toMatchObject({
      kind: 'task.started_in_freeze',
      username: 'freeze-manager',
      description: `Task #${id} of Patch started in the freeze window Year end: ${REASON}`,
    });
  });

  it('concerns only tasks of its inventory or label, and a reason is not stored without a window', async () => {
    const { admin, sample, path, freeze } = await setUp('Targets');
    const { id: inventory } = (
      await admin.post(`${sample.base}/inventory`, {
        ...{ name: 'Cold', type: 'static', inventory: 'web-02', ssh_key_id: sample.keyId },
      })
    ).json<{ id: number }>();
    const label = (await admin.post(`${sample.base}/labels`, { name: 'prod' })).json<{ id: number }>().id;
    await freeze({ inventory_id: inventory });
    await freeze({ name: 'Production', label_id: label });
    const free = await sample.template({ prompts: { inventory_id: 'any' } });
    const labelled = await sample.template({ labels: [label] });
    const start = async (body: object) => (await admin.post(path, body)).statusCode;
    expect(await start({ template_id: labelled })).toBe(409);
    expect(await start({ template_id: free, inventory_id: inventory })).toBe(409);
    const task = await admin.post(path, { template_id: free, freeze_reason: REASON });
    expect([task.statusCode, task.json()]).toMatchObject([201, { freeze_window: '', freeze_reason: '' }]);
  });

  it('refuses the tasks of webhooks and automatic deploys with its reason', async () => {
    const { admin, sample, path, freeze, events, create, answered, tasks } = await setUp('Machines');
    const build = await sample.template({ type: 'build', start_version: '1.0' });
    const deploy = await sample.template({ name: 'Ship', type: 'deploy', build_template_id: build, autorun: true });
    const { id } = (await admin.post(path, { template_id: build })).json<Task>();
    const hook = await create();
    await freeze();
    expect(await answered(hook.path, { action: 'published', tag: 'v1' })).toMatchObject({
      ...{ status: 409, code: 'conflict.frozen_automatic' },
      error: expect.stringContaining('Books are closed'),
    });
    const { database } = shared().storage;
    await database.autocommit.updateTable('task').set({ status: 'running' }).where('id', '=', id).execute();
    await database.write((tx) => endTask(tx, EVERY_ENVIRONMENT, id, 'succeeded', new Date()));
    expect((await admin.get(`${sample.base}/templates/${deploy}/tasks`)).json()).toEqual([]);
    expect(await tasks()).toHaveLength(1);
    const kinds = (await events())
      .slice(0, 3)
      .map(({ kind, params }) => [kind, (params.reason as { code: string })?.code]);
    expect(kinds).toContainEqual(['deploy.not_started', 'conflict.frozen_automatic']);
    expect(kinds).toContainEqual(['webhook.not_started', 'conflict.frozen_automatic']);
  });
});
