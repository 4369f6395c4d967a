import type { ActiveTask, Event, QueuedTask, Task } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { LINK_PATH } from '../../dispatch/session/runner-hub.ts';
import { EVERY_ENVIRONMENT } from '../../execution-environments.ts';
import { describeEachDatabase, type TestLocation } from '../../testing/database/databases.ts';
import { ScriptedRunner } from '../../testing/runners/scripted-runner.ts';
import { addMember, sampleProject } from '../../testing/sample-project.ts';
import { TestClock } from '../../testing/test-clock.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { endTask } from './task-end.ts';

const HOUR_MS = 3_600_000;

const setUp = async (location: TestLocation, clock?: TestClock) => {
  const server = await startTestServer(location, {}, clock);
  const admin = await server.signIn();
  const { template, base, projectId, inventoryId } = await sampleProject(admin);
  const start = async (template_id: number, more: object = {}, client = admin) =>
    (await client.post(`${base}/tasks`, { template_id, ...more })).json<QueuedTask>();
  const read = async (id: number) => (await admin.get(`${base}/tasks/${id}`)).json<QueuedTask>();
  const respond = async (id: number, verdict: 'approve' | 'reject', body: object = {}, client = admin) => {
    const answer = await client.post(`${base}/tasks/${id}/${verdict}`, body);
    return [answer.statusCode, answer.body === '' ? undefined : answer.json<{ code: string }>().code];
  };
  const lastEvent = async () => (await admin.get(`${base}/events/last`)).json<Event[]>()[0];
  const owner = (name: string) => addMember(server, name, { projectId, role: 'owner' });
  return { server, admin, template, base, projectId, inventoryId, start, read, respond, lastEvent, owner };
};

describeEachDatabase('a task that needs an approval', (makeLocation) => {
  it('is in no queue until someone approves it', async () => {
    const { server, admin, template, start, read, respond, lastEvent } = await setUp(await makeLocation());
    const pending = await start(await template({ name: 'Harden', approval: 'anyone' }));
    expect(pending).toMatchObject({ status: 'waiting', approval: 'anyone', approval_state: 'pending' });
    expect(pending).toMatchObject({ waiting_reason: { code: 'approval', params: {} }, queue_position: null });
    const { token } = (await admin.post('/runners', { name: 'here' })).json<{ token: string }>();
    const runner = new ScriptedRunner(`${server.baseUrl.replace(/^http/, 'ws')}${LINK_PATH}`, token);
    await runner.open();
    runner.hello([], { slots: 5 });
    await runner.receives('welcome');
    const free = await start(await template());
    expect((await runner.receives('job')).job.task_id).toBe(free.id);
    expect(await read(pending.id)).toMatchObject({ status: 'waiting', approval_state: 'pending' });
    expect(await respond(pending.id, 'approve', { comment: 'Checked' })).toEqual([204, undefined]);
    expect((await runner.receives('job')).job.task_id).toBe(pending.id);
    expect(await read(pending.id)).toMatchObject({
      ...{ approval_state: 'approved', approval_by: 'admin', approval_comment: 'Checked' },
    });
    expect(await lastEvent()).toMatchObject({
      kind: 'task.approved_with_comment',
      description: `Task #${pending.id} of Harden was approved: Checked`,
    });
    expect(await respond(pending.id, 'approve')).toEqual([409, 'conflict.approval_not_pending']);
    expect(await respond(free.id, 'approve')).toEqual([409, 'conflict.approval_not_pending']);
    expect(await respond(free.id + 100, 'approve')).toEqual([404, 'not_found']);
  });

  it('is decided once, also by two users at the same moment', async () => {
    const { template, start, read, respond } = await setUp(await makeLocation());
    const id = (await start(await template({ approval: 'anyone' }))).id;
    const answers = await Promise.all([respond(id, 'approve'), respond(id, 'reject', { comment: 'No' })]);
    const statuses = answers.map(([status]) => status).sort();
    expect(statuses).toEqual([204, 409]);
    const { status, approval_state: state } = await read(id);
    expect([`waiting approved`, `stopped rejected`]).toContain(`${status} ${state}`);
  });

  it('can need the approval of someone other than who started it or its build', async () => {
    const { server, admin, template, base, projectId, read, respond, owner, start } = await setUp(await makeLocation());
    const [first, second] = [await owner('first'), await owner('second')];
    const alone = await start(await template({ approval: 'other' }), {}, first);
    const listed = async (client: typeof first) =>
      (await client.get('/tasks/active')).json<ActiveTask[]>().map(({ may_approve }) => may_approve);
    const guest = await addMember(server, 'guest', { projectId, role: 'guest' });
    expect([await listed(first), await listed(second), await listed(guest)]).toEqual([[false], [true], [false]]);
    const user_id = (await guest.get('/user')).json<{ id: number }>().id;
    const grant = { template_id: alone.template_id, user_id, rights: ['approve'] };
    expect((await admin.post(`${base}/grants`, grant)).statusCode).toBe(201);
    expect(await listed(guest)).toEqual([true]);
    expect(await respond(alone.id, 'approve', {}, first)).toEqual([403, 'not_permitted.own_approval']);
    expect(await respond(alone.id, 'approve', {}, second)).toEqual([204, undefined]);
    const build = await template({ type: 'build', start_version: '1' });
    const deploy = await template({ type: 'deploy', build_template_id: build, autorun: true, approval: 'other' });
    const { id } = await start(build, {}, first);
    const { database } = server.storage;
    await database.autocommit.updateTable('task').set({ status: 'running' }).where('id', '=', id).execute();
    await database.write((tx) => endTask(tx, EVERY_ENVIRONMENT, id, 'succeeded', new Date()));
    const [shipped] = (await admin.get(`${base}/templates/${deploy}/tasks`)).json<Task[]>();
    expect(shipped).toMatchObject({ user_id: null, approval_state: 'pending' });
    expect(await respond(shipped?.id ?? 0, 'approve', {}, first)).toEqual([403, 'not_permitted.own_approval']);
    expect(await respond(shipped?.id ?? 0, 'reject', { comment: 'Too late' }, first)).toEqual([204, undefined]);
    expect((await read(shipped?.id ?? 0)).approval_by).toBe('first');
  });

  it('is stopped by a rejection, which needs a comment', async () => {
    const { template, start, read, respond, lastEvent } = await setUp(await makeLocation());
    const { id } = await start(await template({ name: 'Harden', approval: 'other' }));
    for (const body of [
      {},
      { comment: ' ' },
      { comment: 'x'.repeat(501) },
      { comment: 'a\nb' },
      { comment: 'a\u202eb' },
    ])
      expect(await respond(id, 'reject', body)).toEqual([400, 'bad_input']);
    expect(await respond(id, 'reject', { comment: 'Not before the audit' })).toEqual([204, undefined]);
    expect(await read(id)).toMatchObject({
      ...{ status: 'stopped', approval_state: 'rejected', approval_by: 'admin' },
      end_reason: { code: 'stop.rejected', params: { user: 'admin', comment: 'Not before the audit' } },
    });
    expect((await lastEvent())?.description).toBe(`Task #${id} of Harden was rejected: Not before the audit`);
    expect(await respond(id, 'approve')).toEqual([409, 'conflict.task_ended']);
    const stopped = await start(await template({ approval: 'anyone' }));
    await respond(stopped.id, 'reject', { comment: 'No' });
    expect((await read(stopped.id)).waiting_reason).toBeNull();
  });

  it('needs a reason for an approval in a freeze window', async () => {
    const { admin, template, base, start, read, respond, lastEvent } = await setUp(await makeLocation());
    const { id } = await start(await template({ approval: 'anyone' }));
    await admin.post(`${base}/freeze_windows`, {
      ...{ name: 'Year end', reason: 'Books are closed' },
      ...{ starts_at: '2020-01-01T00:00:00Z', ends_at: '2100-01-01T00:00:00Z' },
    });
    expect(await respond(id, 'approve')).toEqual([409, 'conflict.frozen']);
    expect(await respond(id, 'approve', { freeze_reason: 'The shop is down' })).toEqual([204, undefined]);
    expect(await read(id)).toMatchObject({ freeze_window: 'Year end', freeze_reason: 'The shop is down' });
    expect(await lastEvent()).toMatchObject({ kind: 'task.approved_in_freeze', params: { why: 'The shop is down' } });
  });

  it('is stopped when its template changes what it would run', async () => {
    const { admin, projectId, server, template, base, start, read, respond } = await setUp(await makeLocation());
    const id = await template({ approval: 'anyone', allow_parallel_tasks: true });
    const tasks = [await start(id), await start(id)];
    await respond(tasks[1]?.id ?? 0, 'approve');
    const change = async (body: object, client = admin) => {
      const answer = await client.put(`${base}/templates/${id}`, body);
      return [answer.statusCode, answer.body === '' ? undefined : answer.json<{ code: string }>().code];
    };
    expect(await change({ description: 'Carefully', playbook: 'site.yml' })).toEqual([204, undefined]);
    expect((await read(tasks[0]?.id ?? 0)).status).toBe('waiting');
    expect(await change({ playbook: 'other.yml' })).toEqual([204, undefined]);
    for (const task of tasks)
      expect(await read(task.id)).toMatchObject({ status: 'stopped', end_reason: { code: 'stop.outdated' } });

    const manager = await addMember(server, 'manager', { projectId, role: 'manager' });
    expect(await change({ approval: 'other' }, manager)).toEqual([204, undefined]);
    for (const weaker of ['anyone', 'none'])
      expect(await change({ approval: weaker }, manager)).toEqual([403, 'not_permitted.approval']);
    const view_id = (await admin.post(`${base}/views`, { title: 'Loose' })).json<{ id: number }>().id;
    await admin.post(`${base}/grants`, { view_id, role: 'manager', rights: ['approve'] });
    expect(await change({ view_id }, manager)).toEqual([403, 'not_permitted.approval']);
    await admin.post(`${base}/grants`, { template_id: id, role: 'manager', rights: ['approve'] });
    expect(await change({ approval: 'none' }, manager)).toEqual([204, undefined]);
  });

  it('is decided by a grant only if it has what the grant fixes', async () => {
    const { server, admin, projectId, template, base, start, respond } = await setUp(await makeLocation());
    const id = await template({ approval: 'anyone', allow_parallel_tasks: true, prompts: { limit: 'any' } });
    const guest = await addMember(server, 'guest', { projectId, role: 'guest' });
    await admin.post(`${base}/grants`, {
      template_id: id,
      role: 'guest',
      rights: ['run', 'approve'],
      limit: 'staging',
    });
    const [other, own] = [await start(id, { limit: 'prod' }), await start(id, { limit: 'staging' })];
    for (const verdict of ['approve', 'reject'] as const)
      expect(await respond(other.id, verdict, { comment: 'x' }, guest)).toEqual([403, 'not_permitted.approval_limits']);
    expect(await respond(own.id, 'approve', {}, guest)).toEqual([204, undefined]);
  });

  it('is not decided by a grant if arguments of the task or the template replace what the grant fixes', async () => {
    const { server, admin, projectId, inventoryId, template, base, start, respond } = await setUp(await makeLocation());
    const guest = await addMember(server, 'guest', { projectId, role: 'guest' });
    const ask = {
      ...{ approval: 'anyone', allow_parallel_tasks: true, allow_override_args_in_task: true },
      prompts: { limit: 'any', inventory_id: 'any' },
      survey_vars: [{ name: 'size', title: 'Size' }],
    };
    const environment = '{"size":"3"}';
    for (const [fixed, replacing, harmless] of [
      [{ limit: 'a' }, ['--lim=b'], ['-esize=4']],
      [{ inventory_id: inventoryId }, ['-ib,'], ['-lb']],
      [{ answers: environment }, ['-vesize=4'], ['-lb']],
    ] as const) {
      const id = await template({ ...ask, options: 'limit' in fixed ? fixed : {} });
      await admin.post(`${base}/grants`, { template_id: id, role: 'guest', rights: ['run', 'approve'], ...fixed });
      const decide = async (args: readonly string[]) =>
        await respond((await start(id, { environment, arguments: JSON.stringify(args) })).id, 'approve', {}, guest);
      expect(await decide(replacing)).toEqual([403, 'not_permitted.approval_limits']);
      expect(await decide(harmless)).toEqual([204, undefined]);
      const change = { arguments: JSON.stringify(replacing) };
      expect((await admin.put(`${base}/templates/${id}`, change)).statusCode).toBe(204);
      expect(await decide([])).toEqual([403, 'not_permitted.approval_limits']);
    }
  });

  it('keeps its branch, its starter and its freeze reason, whatever changes meanwhile', async () => {
    const { server, admin, template, base, start, respond, owner } = await setUp(await makeLocation());
    const { database } = server.storage;
    const first = await owner('first');
    const build = await template({ type: 'build', start_version: '1' });
    const deploy = await template({ type: 'deploy', build_template_id: build, autorun: true, approval: 'other' });
    const built = await start(build, {}, first);
    await database.autocommit.updateTable('task').set({ status: 'running' }).where('id', '=', built.id).execute();
    await database.write((tx) => endTask(tx, EVERY_ENVIRONMENT, built.id, 'succeeded', new Date()));
    expect((await admin.del(`${base}/tasks/${built.id}`)).statusCode).toBe(204);
    const [shipped] = (await admin.get(`${base}/templates/${deploy}/tasks`)).json<Task[]>();
    expect(await respond(shipped?.id ?? 0, 'approve', {}, first)).toEqual([403, 'not_permitted.own_approval']);

    const plain = await template({ approval: 'anyone', max_duration: 60 });
    const started = await start(plain);
    expect(started).toMatchObject({ git_branch: 'main', max_duration: 60 });
    for (const name of ['One', 'Two']) {
      await admin.post(`${base}/freeze_windows`, {
        ...{ name, reason: 'Closed', template_id: plain },
        ...{ starts_at: '2020-01-01T00:00:00Z', ends_at: `${name === 'One' ? 2100 : 2101}-01-01T00:00:00Z` },
      });
      if (name === 'One')
        expect(await respond((await start(plain, { freeze_reason: 'Now' })).id, 'approve')).toEqual([204, undefined]);
    }
    const frozen = await start(plain, { freeze_reason: 'Now' });
    const [window] = (await admin.get(`${base}/freeze_windows`))
      .json<{ id: number; name: string }[]>()
      .filter(({ name }) => name === 'Two');
    expect((await admin.put(`${base}/freeze_windows/${window?.id}`, { name: 'Three' })).statusCode).toBe(204);
    expect(await respond(frozen.id, 'approve')).toEqual([409, 'conflict.frozen']);
  });

  it('needs another reason in another window of the same name, and at another time of the same window', async () => {
    const clock = new TestClock('2026-11-25T12:30:00.000Z');
    const { admin, template, base, start, respond } = await setUp(await makeLocation(), clock);
    const template_id = await template({ approval: 'anyone', allow_parallel_tasks: true });
    const freeze = async () => {
      const window = {
        name: 'Noon',
        reason: 'Lunch',
        cron_format: '0 12 * * *',
        duration_seconds: 7200,
        timezone: 'UTC',
      };
      return (await admin.post(`${base}/freeze_windows`, window)).json<{ id: number }>().id;
    };
    const window = await freeze();
    const ask = async () => (await start(template_id, { freeze_reason: 'The shop is down' })).id;
    const [now, tomorrow, replaced] = [await ask(), await ask(), await ask()];
    clock.step(HOUR_MS);
    expect(await respond(now, 'approve')).toEqual([204, undefined]);
    clock.step(23 * HOUR_MS);
    expect(await respond(tomorrow, 'approve')).toEqual([409, 'conflict.frozen']);
    clock.step(-23 * HOUR_MS);
    expect((await admin.del(`${base}/freeze_windows/${window}`)).statusCode).toBe(204);
    await freeze();
    expect(await respond(replaced, 'approve')).toEqual([409, 'conflict.frozen']);
    expect(await respond(replaced, 'approve', { freeze_reason: 'It still is' })).toEqual([204, undefined]);
  });

  it('is stopped by a change of its template also while a runner has not accepted it', async () => {
    const { server, admin, template, base, start, read, respond } = await setUp(await makeLocation());
    const id = await template({ approval: 'anyone' });
    const task = await start(id);
    await respond(task.id, 'approve');
    const { id: runner } = (await admin.post('/runners', { name: 'silent' })).json<{ id: number }>();
    await server.storage.database.autocommit
      .updateTable('task')
      .set({ runner_id: runner, epoch: 1 })
      .where('id', '=', task.id)
      .execute();
    expect((await admin.put(`${base}/templates/${id}`, { playbook: 'other.yml' })).statusCode).toBe(204);
    expect(await read(task.id)).toMatchObject({ status: 'stopped', end_reason: { code: 'stop.outdated' } });
  });
});
