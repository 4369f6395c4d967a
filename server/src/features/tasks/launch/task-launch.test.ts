import type { QueuedTask } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { EVERY_ENVIRONMENT } from '../../../execution-environments.ts';
import { addMember, sampleProject } from '../../../testing/sample-project.ts';
import { describeOneServer, type TestServer } from '../../../testing/test-server.ts';
import { endTask } from '../task-end.ts';

const setUp = async (server: TestServer) => {
  const client = await server.signIn();
  const sample = await sampleProject(client);
  const launch = (body: object) => client.post(`${sample.base}/tasks`, body);
  const succeed = async (id: number) => {
    const { database } = server.storage;
    await database.autocommit.updateTable('task').set({ status: 'running' }).where('id', '=', id).execute();
    return await database.write((tx) => endTask(tx, EVERY_ENVIRONMENT, id, 'succeeded', new Date()));
  };
  return { client, sample, launch, succeed };
};

interface TaskAnswer {
  id: number;
  version: string | null;
  build_task: { id: number; version: string } | null;
  user_id: number | null;
  status: string;
}

describeOneServer('launching a task', (shared) => {
  it('[R1] answers 201 with the stored task, and records who started it', async () => {
    const { client, sample, launch } = await setUp(shared());
    const template = await sample.template({ name: 'Patch' });
    const before = (await client.get('/tasks/active')).json<unknown[]>().length;
    const answer = await launch({ template_id: template, message: 'for Ana', debug: true });
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toMatchObject({
      status: 'waiting',
      message: 'for Ana',
      debug: true,
      tpl_alias: 'Patch',
      user_name: 'admin',
      start: null,
    });
    expect((await client.get(`${sample.base}/tasks/${answer.json<TaskAnswer>().id}`)).json()).toEqual(answer.json());
    expect((await client.get(`${sample.base}/events/last`)).json<object[]>()[0]).toMatchObject({
      object_type: 'task',
      username: 'admin',
    });
    const [listed] = (await client.get(`${sample.base}/templates`)).json<{ last_task: unknown }[]>();
    const { waiting_reason, queue_position, ...task } = answer.json<QueuedTask>();
    expect([waiting_reason?.code, queue_position]).toEqual(['no_runner', before + 1]);
    expect(listed?.last_task).toEqual(task);
  });

  it('gives simultaneous builds versions without duplicates and gaps', async () => {
    const { sample, launch } = await setUp(shared());
    const template = await sample.template({ type: 'build', start_version: '1.0.0' });
    const answers = await Promise.all(Array.from({ length: 25 }, () => launch({ template_id: template })));
    const versions = answers
      .map((answer) => answer.json<TaskAnswer>().version)
      .toSorted((a, b) => Number(a?.split('.')[2]) - Number(b?.split('.')[2]));
    expect(versions).toEqual(Array.from({ length: 25 }, (_, n) => `1.0.${n}`));
  });

  it('accepts only successful builds of the right template for a deploy', async () => {
    const { sample, launch, succeed } = await setUp(shared());
    const [build, otherBuild] = [
      await sample.template({ type: 'build', start_version: '1.0.0' }),
      await sample.template({ type: 'build', start_version: '7' }),
    ];
    const deploy = await sample.template({ type: 'deploy', build_template_id: build });
    const built = (await launch({ template_id: build })).json<TaskAnswer>();
    const otherBuilt = (await launch({ template_id: otherBuild })).json<TaskAnswer>();
    await succeed(otherBuilt.id);
    for (const buildTaskId of [undefined, null, built.id, otherBuilt.id, 1_000_000]) {
      const refused = await launch({ template_id: deploy, build_task_id: buildTaskId });
      expect(refused.statusCode, refused.body).toBe(400);
      expect(refused.json<{ fields: object }>().fields).toHaveProperty('build_task_id');
    }
    await succeed(built.id);
    const deployed = await launch({ template_id: deploy, build_task_id: built.id });
    expect(deployed.json()).toMatchObject({ version: '1.0.0', build_task: { id: built.id, version: '1.0.0' } });
  });

  it('[S2] refuses a build of another project even for templates that use no build', async () => {
    const { client, sample, launch } = await setUp(shared());
    const foreign = await sampleProject(client, 'Foreign');
    const foreignTask = (await client.post(`${foreign.base}/tasks`, { template_id: await foreign.template() })).json();
    for (const input of [{}, { type: 'build', start_version: '1' }]) {
      const template_id = await sample.template(input);
      const own = (await launch({ template_id })).json<TaskAnswer>().id;
      expect((await launch({ template_id, build_task_id: own })).json()).toMatchObject({ build_task_id: null });
      const [refused, unknown] = [
        await launch({ template_id, build_task_id: foreignTask.id }),
        await launch({ template_id, build_task_id: 2_000_000_000 }),
      ];
      expect(refused.statusCode).toBe(400);
      expect(refused.json<{ fields: object }>().fields).toHaveProperty('build_task_id');
      expect(unknown.body).toBe(refused.body);
    }
  });

  it('counts the builds of a template, not its deploys before it became a build template', async () => {
    const { client, sample, launch, succeed } = await setUp(shared());
    const build = await sample.template({ type: 'build', start_version: '1.0.5' });
    const other = await sample.template({ type: 'deploy', build_template_id: build });
    const built = (await launch({ template_id: build })).json<TaskAnswer>().id;
    await succeed(built);
    const deployed = (await launch({ template_id: other, build_task_id: built })).json<TaskAnswer>();
    expect(deployed.version).toBe('1.0.5');
    const change = { type: 'build', start_version: '1.0.0', build_template_id: null };
    expect((await client.put(`${sample.base}/templates/${other}`, change)).statusCode).toBe(204);
    expect((await launch({ template_id: other })).json<TaskAnswer>().version).toBe('1.0.0');
  });

  it('starts every autorun deploy once when its build has succeeded', async () => {
    const { client, sample, launch, succeed } = await setUp(shared());
    const build = await sample.template({ type: 'build', start_version: '1.0.0' });
    const auto = await sample.template({ name: 'Auto', type: 'deploy', build_template_id: build, autorun: true });
    const manual = await sample.template({ type: 'deploy', build_template_id: build });
    const asking = await sample.template({
      name: 'Asking',
      type: 'deploy',
      build_template_id: build,
      autorun: true,
      survey_vars: [{ name: 'x', required: true }],
    });
    const built = (await launch({ template_id: build })).json<TaskAnswer>();
    expect(await succeed(built.id)).toHaveLength(2);
    expect(await succeed(built.id)).toHaveLength(2);
    const tasksOf = async (id: number) =>
      (await client.get(`${sample.base}/templates/${id}/tasks`)).json<TaskAnswer[]>();
    const [deployed] = await tasksOf(auto);
    expect(deployed).toMatchObject({ version: '1.0.0', user_id: null, build_task: { id: built.id } });
    expect(await tasksOf(manual)).toEqual([]);
    // The build cannot answer the survey of a deploy, so an event contains the reason.
    expect(await tasksOf(asking)).toEqual([]);
    expect((await client.get(`${sample.base}/events/last`)).body).toContain('Asking could not start after build 1.0.0');
  });

  it('[S3][S4] stores secret answers encrypted, answers them nowhere, and deletes them when the task ends', async () => {
    const { client, sample, launch } = await setUp(shared());
    const template = await sample.template({ survey_vars: [{ name: 'token', type: 'secret', required: true }] });
    const answer = await launch({ template_id: template, environment: '{"token":"hunter2-canary"}' });
    expect(answer.statusCode).toBe(201);
    const { id } = answer.json<TaskAnswer>();
    const secrets = () => shared().storage.database.read.selectFrom('task_secret').selectAll().execute();
    expect(await secrets()).toEqual([expect.objectContaining({ task_id: id, name: 'token' })]);
    expect(JSON.stringify(await secrets())).not.toContain('canary');
    for (const path of [`tasks/${id}`, 'tasks', 'templates', 'events'])
      expect((await client.get(`${sample.base}/${path}`)).body).not.toContain('canary');
    expect((await client.post(`${sample.base}/tasks/${id}/stop`, {})).statusCode).toBeLessThan(300);
    expect(await secrets()).toEqual([]);
  });

  it('checks survey answers against the template', async () => {
    const { sample, launch } = await setUp(shared());
    const template = await sample.template({
      survey_vars: [{ name: 'count', title: 'How many', type: 'int', required: true }, { name: 'note' }],
    });
    const answers = (environment: object) =>
      launch({ template_id: template, environment: JSON.stringify(environment) });
    for (const [given, message] of [
      [{}, 'How many is required'],
      [{ count: '' }, 'How many is required'],
      [{ count: '1x' }, 'How many must be integer'],
    ] as const) {
      const refused = await answers(given);
      expect(refused.statusCode).toBe(400);
      expect(refused.json<{ fields: Record<string, string> }>().fields['environment.count']).toBe(message);
    }
    for (const given of [
      { count: 3 },
      { count: '3' },
      { count: '3', note: 'x' },
      { count: 1, other: 'by a manager' },
    ]) {
      expect((await answers(given)).statusCode).toBe(201);
    }
    const runner = await addMember(shared(), 'runner-1', { projectId: sample.projectId, role: 'task_runner' });
    const foreign = await runner.post(`${sample.base}/tasks`, {
      template_id: template,
      environment: '{"count":1,"ansible_connection":"local"}',
    });
    expect(foreign.statusCode).toBe(403);
  });

  it('[S7] accepts arguments if the template allows it, and only harmless ones from users who may not edit it', async () => {
    const { sample, launch } = await setUp(shared());
    const runner = await addMember(shared(), 'runner-2', { projectId: sample.projectId, role: 'task_runner' });
    const closed = await sample.template();
    const open = await sample.template({ allow_override_args_in_task: true, allow_parallel_tasks: true });
    const body = (template_id: number, ...args: string[]) => ({ template_id, arguments: JSON.stringify(args) });
    expect((await launch(body(closed, '--check'))).statusCode).toBe(400);
    expect((await launch(body(open, '-e', 'x=1'))).statusCode).toBe(201);
    const byRunner = (...args: string[]) => runner.post(`${sample.base}/tasks`, body(open, ...args));
    expect((await byRunner('--tags', 'web')).statusCode).toBe(201);
    for (const args of [['-e', 'ansible_connection=local'], ['--extra-v=x'], ['--limit', '@/etc/passwd']]) {
      const refused = await byRunner(...args);
      expect(refused.statusCode, args.join(' ')).toBe(403);
      expect(refused.json().error).toContain(args[0]);
    }
  });

  it('[S7] accepts any commit from users who may edit the template, and known commits from others', async () => {
    const { sample, launch } = await setUp(shared());
    const runner = await addMember(shared(), 'runner-3', { projectId: sample.projectId, role: 'task_runner' });
    const template_id = await sample.template({ allow_parallel_tasks: true });
    const body = { template_id, commit_hash: 'a'.repeat(40) };
    const byRunner = () => runner.post(`${sample.base}/tasks`, body);
    const refused = await byRunner();
    expect(refused.statusCode).toBe(403);
    expect(refused.json().error).toContain('commit');
    const launched = await launch(body);
    expect(launched.statusCode).toBe(201);
    // A requested commit has not run yet.
    expect((await byRunner()).statusCode).toBe(403);
    await shared()
      .storage.database.autocommit.updateTable('task')
      .set({ commit_hash: body.commit_hash })
      .where('id', '=', launched.json<{ id: number }>().id)
      .execute();
    expect((await byRunner()).statusCode).toBe(201);
  });

  it('stops a waiting task at once, and refuses to stop an ended one', async () => {
    const { client, sample, launch } = await setUp(shared());
    const { id } = (await launch({ template_id: await sample.template() })).json<TaskAnswer>();
    expect((await client.post(`${sample.base}/tasks/${id}/stop`, {})).statusCode).toBe(204);
    expect((await client.get(`${sample.base}/tasks/${id}`)).json()).toMatchObject({
      status: 'stopped',
      start: null,
      end: expect.any(String),
    });
    expect((await client.post(`${sample.base}/tasks/${id}/stop`, { force: true })).statusCode).toBe(409);
  });
});

describeOneServer('a task as clients of Semaphore UI start it', (shared) => {
  it('uses the options in params', async () => {
    const { sample, launch } = await setUp(shared());
    const template_id = await sample.template({ allow_override_args_in_task: true });
    const params = { limit: ['web', 'db'], tags: ['a', 'b'], skip_tags: ['c'], debug: true, dry_run: true, diff: true };
    const answer = await launch({ template_id, arguments: '["--force-handlers"]', params });
    expect(answer.statusCode, answer.body).toBe(201);
    expect(answer.json()).toMatchObject({
      limit: 'web,db',
      debug: true,
      dry_run: true,
      diff: true,
      arguments: '["--force-handlers"]',
      tags: ['a', 'b'],
      skip_tags: ['c'],
      verbosity: 4,
    });
    const short = await launch({ template_id, params: { limit: 'web', debug: true, debug_level: 2 } });
    expect(short.json()).toMatchObject({ limit: 'web', debug: false, verbosity: 2, arguments: '[]' });
    const plain = await launch({ template_id, limit: 'db', params: { limit: [], debug_level: 4, debug: false } });
    expect(plain.json()).toMatchObject({ limit: 'db', debug: false, arguments: '[]' });
  });

  it('refuses fields that would run something else, and names them', async () => {
    const { sample, launch } = await setUp(shared());
    const template_id = await sample.template();
    const refused: [field: string, body: object][] = [
      ['params.limit', { limit: 'web', params: { limit: ['db'] } }],
      ['params.tags', { params: { tags: ['a'] } }],
      ['params.skip_tags', { params: { skip_tags: ['a'] } }],
      ['params.limit.0', { params: { limit: ['@/etc/passwd'] } }],
      ['params.tags.0', { params: { tags: ['-x'] } }],
      ['playbook', { playbook: 'other.yml' }],
      ['git_branch', { git_branch: 'other' }],
      ['inventory_id', { inventory_id: sample.inventoryId + 1 }],
      ['environment_id', { environment_id: sample.environmentId + 1 }],
      ['repository_id', { repository_id: sample.repositoryId + 1 }],
    ];
    for (const [field, body] of refused) {
      const answer = await launch({ template_id, ...body });
      expect(answer.statusCode, field).toBe(400);
      expect(Object.keys(answer.json<{ fields: object }>().fields)).toEqual([field]);
    }
  });

  it('accepts fields that change nothing', async () => {
    const { sample, launch } = await setUp(shared());
    const template_id = await sample.template();
    const same = { playbook: 'site.yml', git_branch: 'main', inventory_id: sample.inventoryId };
    const others = { environment_id: sample.environmentId, repository_id: sample.repositoryId };
    const empty = { playbook: '', git_branch: '', inventory_id: 0, params: {}, secret: '{}' };
    for (const body of [
      { ...same, ...others },
      empty,
      { ...empty, inventory_id: null, params: null, playbook: null },
    ]) {
      const answer = await launch({ template_id, ...body });
      expect(answer.statusCode, answer.body).toBe(201);
    }
  });
});
