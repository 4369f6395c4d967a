import type { SavedLaunch, Schedule, Task } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { describeOneDatabase, type MakeLocation } from '../testing/database/databases.ts';
import { addMember } from '../testing/sample-project.ts';
import { scheduledProject } from '../testing/scheduled-project.ts';
import type { Client } from '../testing/test-server.ts';

const SURVEY = [
  { name: 'count', title: 'How many', type: 'int', required: true },
  { name: 'token', title: 'Token', type: 'secret', required: true },
];

const setUp = async (makeLocation: MakeLocation) => {
  const project = await scheduledProject(await makeLocation(), '2026-11-21T10:00:30.000Z');
  const { sample, client, server } = project;
  const template_id = await sample.template({ allow_override_args_in_task: true, survey_vars: SURVEY });
  const url = `${sample.base}/schedules`;
  const post = (launch_values: object, more: object = {}) =>
    client.post(url, { template_id, cron_format: '* * * * *', name: 'N', launch_values, ...more });
  return {
    ...project,
    template_id,
    post,
    put: (id: number, change: object) => client.put(`${url}/${id}`, change),
    secrets: (table: 'schedule_secret' | 'task_secret') =>
      server.storage.database.read.selectFrom(table).selectAll().execute(),
  };
};

const answers = (environment: object) => ({ environment: JSON.stringify(environment) });

describeOneDatabase('the values that a schedule starts its tasks with', (makeLocation) => {
  it('are given to each task, the secret ones encrypted and answered nowhere', async () => {
    const { post, passMinutes, tasks, template_id, secrets, client, sample, read, server } = await setUp(makeLocation);
    const made = await post({
      ...answers({ count: '3', token: 'hunter2-canary' }),
      ...{ limit: 'web', message: 'nightly', dry_run: true, arguments: '["--tags","x"]' },
    });
    expect(made.statusCode, made.body).toBe(201);
    const schedule = made.json<Schedule>();
    expect(schedule).toMatchObject({
      launch_values: { environment: '{"count":"3"}', limit: 'web', message: 'nightly', dry_run: true },
      secret_answers: ['token'],
    });
    await server.schedules.quiet();
    await passMinutes(2);
    const started: Task[] = await tasks(template_id);
    expect(started).toHaveLength(2);
    for (const task of started)
      expect(task).toMatchObject({
        ...{ environment: '{"count":3}', limit: 'web', message: 'nightly', dry_run: true },
        arguments: '["--tags","x"]',
      });
    expect((await secrets('task_secret')).map(({ task_id }) => task_id)).toEqual(started.map(({ id }) => id));
    const stored = [...(await secrets('task_secret')), ...(await secrets('schedule_secret'))];
    expect(stored).toHaveLength(3);
    expect(new Set(stored.map(({ secret }) => secret)).size).toBe(3);
    expect(JSON.stringify(stored)).not.toContain('canary');
    expect(JSON.stringify(await read(schedule.id))).not.toContain('canary');
    for (const path of ['schedules', 'events', 'tasks'])
      expect((await client.get(`${sample.base}/${path}`)).body).not.toContain('canary');
  });

  it('lack the answers that the survey of the template has required since, until they are given', async () => {
    const { client, sample, put, post, read, template_id } = await setUp(makeLocation);
    const { id } = (await post(answers({ count: '3', token: 'hunter2' }))).json<Schedule>();
    const missing = async () => (await read(id)).missing_answers;
    expect(await missing()).toEqual([]);
    const survey_vars = [
      { name: 'count', type: 'int', required: true },
      { name: 'token', type: 'secret', required: true },
      { name: 'version', title: 'Version to install', required: true },
      { name: 'region', required: true, default_value: 'north' },
    ];
    await client.put(`${sample.base}/templates/${template_id}`, { survey_vars });
    expect(await missing()).toEqual(['Version to install']);
    await put(id, { launch_values: answers({ count: '3', version: '2.8' }) });
    expect(await missing()).toEqual([]);
  });

  it('are those that a saved launch has at the due time', async () => {
    const { client, sample, passMinutes, server } = await setUp(makeLocation);
    const survey_vars = [{ name: 'count', title: 'How many', type: 'int', required: true }];
    const template_id = await sample.template({ survey_vars });
    const path = `${sample.base}/templates/${template_id}/launches`;
    const nightly = { name: 'Nightly', shared: true, launch_values: { ...answers({ count: 3 }), limit: 'staging' } };
    const { id } = (await client.post(path, nightly)).json<SavedLaunch>();
    const schedule = { template_id, cron_format: '* * * * *', saved_launch_id: id };
    expect((await client.post(`${sample.base}/schedules`, schedule)).statusCode).toBe(201);
    await server.schedules.quiet();
    await passMinutes(1);
    await client.put(`${path}/${id}`, { launch_values: { ...answers({ count: 4 }), limit: 'web' } });
    await passMinutes(1);
    const started = (await client.get(`${sample.base}/templates/${template_id}/tasks`)).json<Task[]>();
    expect(started).toMatchObject([
      { limit: 'web', environment: '{"count":4}' },
      { limit: 'staging', environment: '{"count":3}' },
    ]);
  });

  it('keep, replace and remove secret answers when they are changed', async () => {
    const { post, put, read, secrets } = await setUp(makeLocation);
    const { id } = (await post(answers({ count: 1, token: 'one' }))).json<Schedule>();
    const [first] = await secrets('schedule_secret');
    expect((await put(id, { name: 'Other' })).statusCode).toBe(204);
    expect(await secrets('schedule_secret')).toEqual([first]);
    expect((await put(id, { launch_values: answers({ count: 2 }) })).statusCode).toBe(204);
    expect(await read(id)).toMatchObject({
      launch_values: { environment: '{"count":2}' },
      secret_answers: ['token'],
    });
    for (const token of ['', null]) {
      const refused = await put(id, { launch_values: answers({ count: 2, token }) });
      expect(refused.statusCode).toBe(400);
      expect(refused.json()).toMatchObject({ fields: { 'launch_values.environment.token': 'Token is required' } });
    }
  });

  it('are checked when they are saved, with an error for the field', async () => {
    const { post, sample, server } = await setUp(makeLocation);
    for (const [field, values] of [
      ['launch_values.environment.count', answers({ token: 'x' })],
      ['launch_values.environment.count', answers({ token: 'x', count: 'many' })],
      ['launch_values.environment.token', answers({ count: 1, token: ['x'] })],
      ['launch_values.arguments', { ...answers({ count: 1, token: 'x' }), arguments: '{}' }],
      ['launch_values.limit', { ...answers({ count: 1, token: 'x' }), limit: '@/etc/passwd' }],
    ] as const) {
      const refused = await post(values);
      expect(refused.statusCode, JSON.stringify(values)).toBe(400);
      expect(Object.keys(refused.json<{ fields: object }>().fields)).toEqual([field]);
    }
    const closed = await sample.template();
    const refused = await post({ arguments: '["--check"]' }, { template_id: closed });
    expect(refused.json()).toMatchObject({ fields: { 'launch_values.arguments': expect.any(String) } });
    const runner = await addMember(server, 'runner', { projectId: sample.projectId, role: 'task_runner' });
    const body = { template_id: closed, cron_format: '@daily' };
    expect((await runner.post(`${sample.base}/schedules`, body)).statusCode).toBe(403);
  });

  it('are checked again at each start, and a refusal is an event', async () => {
    const { post, passMinutes, tasks, template_id, client, sample, events, server, read } = await setUp(makeLocation);
    const { id } = (await post(answers({ count: 1, token: 'x' }))).json<Schedule>();
    const put = (survey_vars: object[]) => client.put(`${sample.base}/templates/${template_id}`, { survey_vars });
    // A stored secret is never given to a task that would show it.
    expect((await put([SURVEY[0] ?? {}, { name: 'token', title: 'Token' }])).statusCode).toBe(204);
    await server.schedules.quiet();
    await passMinutes(1);
    expect(await tasks(template_id)).toEqual([]);
    expect((await events()).at(-1)).toContain('started no task at 2026-11-21 10:01 UTC: The stored answer to Token');
    expect(await read(id)).toMatchObject({ problem: { kind: 'schedule.not_started' } });
    expect((await put([...SURVEY, { name: 'more', title: 'More', required: true }])).statusCode).toBe(204);
    await passMinutes(1);
    expect((await events()).at(-1)).toContain('More is required');
    expect((await put(SURVEY)).statusCode).toBe(204);
    await passMinutes(1);
    expect(await tasks(template_id)).toHaveLength(1);
    expect(await read(id)).toMatchObject({ problem: null });
  });

  it('are no answers to variables that left the survey, but variables that were set in addition to it', async () => {
    const { client, sample, passMinutes, server, events, read, tasks } = await setUp(makeLocation);
    const survey_vars = [{ name: 'who', title: 'Who' }];
    const template_id = await sample.template({ survey_vars, allow_parallel_tasks: true });
    const launches = `${sample.base}/templates/${template_id}/launches`;
    const shared = { name: 'Shared', shared: true, launch_values: answers({ who: 'a' }) };
    const { id: saved_launch_id } = (await client.post(launches, shared)).json<SavedLaunch>();
    const role = { name: 'planner', rights: ['run_tasks', 'edit_schedules'] };
    const { id: role_id } = (await client.post(`${sample.base}/roles`, role)).json<{ id: number }>();
    const planner = await addMember(server, 'planner', { projectId: sample.projectId, role: 'guest' });
    const { id: user } = (await planner.get('/user')).json<{ id: number }>();
    await client.put(`${sample.base}/users/${user}`, { role: 'custom', role_id });
    const create = async (by: Client, values: object) => {
      const body = { template_id, cron_format: '* * * * *', name: `${Math.random()}`, ...values };
      return await by.post(`${sample.base}/schedules`, body);
    };
    const extra = { launch_values: answers({ who: 'a', more: 'x' }) };
    expect((await create(planner, extra)).json()).toMatchObject({ code: 'not_permitted.variables' });
    const made = [
      await create(planner, { launch_values: answers({ who: 'a' }) }),
      await create(planner, { saved_launch_id }),
      await create(client, extra),
      await create(client, { launch_values: answers({ more: 'x' }) }),
    ].map((answer) => answer.json<Schedule>().id);
    const template = `${sample.base}/templates/${template_id}`;
    expect((await client.put(template, { survey_vars: [] })).statusCode).toBe(204);
    await server.schedules.quiet();
    await passMinutes(1);
    expect((await tasks(template_id)).map((task) => [task.schedule_id, task.environment])).toEqual([
      [made[3], '{"more":"x"}'],
    ]);
    for (const id of made.slice(0, 3))
      expect(await read(id)).toMatchObject({ problem: { kind: 'schedule.not_started' } });
    expect((await events()).at(-1)).toContain('The survey no longer asks for who');
    // Saving them again checks them with the rights of the user who saves them.
    for (const [index, by] of [client, planner].entries())
      await by.put(`${sample.base}/schedules/${made[index * 2]}`, { launch_values: answers({}) });
    await passMinutes(1);
    const started = (await tasks(template_id)).slice(1).map((task) => task.schedule_id);
    expect(new Set(started)).toEqual(new Set([made[0], made[2], made[3]]));
  });

  it('are those of another template when the schedule gets one, and are checked against it', async () => {
    const { post, put, sample, read } = await setUp(makeLocation);
    const { id } = (await post(answers({ count: 1, token: 'x' }))).json<Schedule>();
    const other = await sample.template({ survey_vars: [{ name: 'size', title: 'Size', required: true }] });
    expect((await put(id, { template_id: other, launch_values: answers({}) })).statusCode).toBe(400);
    expect((await put(id, { template_id: other, launch_values: answers({ size: 's' }) })).statusCode).toBe(204);
    expect(await read(id)).toMatchObject({ launch_values: { environment: '{"size":"s"}' }, secret_answers: [] });
  });
});
