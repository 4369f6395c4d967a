import type { SavedLaunch, Schedule } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { describeEachDatabase } from '../../testing/database/databases.ts';
import { addMember, sampleProject } from '../../testing/sample-project.ts';
import { startTestServer } from '../../testing/test-server.ts';

const SURVEY = [
  { name: 'strategy', title: 'Strategy', type: 'enum', required: true, values: [{ name: '', value: 'rolling' }] },
  { name: 'count', title: 'How many', type: 'int', required: true },
  { name: 'token', title: 'Token', type: 'secret' },
];

const answers = (environment: object) => ({ environment: JSON.stringify(environment) });

describeEachDatabase('saved launches', (makeLocation) => {
  const setUp = async () => {
    const server = await startTestServer(await makeLocation());
    const admin = await server.signIn();
    const sample = await sampleProject(admin);
    const template = await sample.template({ survey_vars: SURVEY });
    const path = `${sample.base}/templates/${template}/launches`;
    const { projectId } = sample;
    const ada = await addMember(server, 'ada', { projectId, role: 'task_runner' });
    const bob = await addMember(server, 'bob', { projectId, role: 'task_runner' });
    const save = async (client: typeof admin, body: object) => (await client.post(path, body)).json<SavedLaunch>();
    const names = async (client: typeof admin) =>
      (await client.get(path)).json<SavedLaunch[]>().map(({ name, shared }) => (shared ? `${name} (shared)` : name));
    return { server, admin, ada, bob, sample, template, path, save, names };
  };

  it('are seen by their owner only, or by the project if a manager shares them', async () => {
    const { admin, ada, bob, sample, template, path, save, names } = await setUp();
    const own = await save(ada, { name: 'Nightly', launch_values: { ...answers({ count: 3 }), limit: 'staging' } });
    expect(own).toMatchObject({ shared: false, launch_values: { limit: 'staging', environment: '{"count":3}' } });
    await save(admin, { name: 'Nightly', shared: true });
    await save(bob, { name: 'Nightly' });
    const counts = async (client: typeof admin) => (await client.get(`${sample.base}/launches`)).json();
    expect(await counts(admin)).toEqual([{ template_id: template, launches: 1 }]);
    expect(await counts(ada)).toEqual([{ template_id: template, launches: 2 }]);
    await admin.put(`${sample.base}/templates/${template}`, { restricted: true });
    expect(await counts(ada)).toEqual([]);
    await admin.put(`${sample.base}/templates/${template}`, { restricted: false });
    expect([await names(ada), await names(bob)]).toEqual([
      ['Nightly', 'Nightly (shared)'],
      ['Nightly (shared)', 'Nightly'],
    ]);
    for (const call of [bob.get, bob.del, admin.get])
      expect((await call(`${path}/${own.id}`)).statusCode, String(call)).toBe(404);
    expect((await ada.post(path, { name: 'Other', shared: true })).statusCode).toBe(403);
    expect((await ada.put(`${path}/${own.id}`, { shared: true })).statusCode).toBe(403);
    expect((await ada.post(path, { name: 'Nightly' })).json()).toMatchObject({
      code: 'conflict.saved_launch_name_taken',
    });
    expect((await ada.put(`${path}/${own.id}`, { name: 'Weekly' })).statusCode).toBe(204);
    expect((await ada.get(`${path}/${own.id}`)).json()).toEqual({ ...own, name: 'Weekly' });
    expect((await ada.del(`${path}/${own.id}`)).statusCode).toBe(204);
    expect(await names(ada)).toEqual(['Nightly (shared)']);
  });

  it('are saved with a grant to run the template, but not shared or with other values', async () => {
    const { server, admin, path, sample, save, template } = await setUp();
    const { id: shared } = await save(admin, { name: 'Shared', shared: true });
    const manager = await addMember(server, 'mia', { projectId: sample.projectId, role: 'manager' });
    await admin.put(`${sample.base}/templates/${template}`, { restricted: true });
    await admin.post(`${sample.base}/grants`, { template_id: template, role: 'manager', rights: ['run'] });
    const own = (await manager.post(path, { name: 'Own' })).json<SavedLaunch>();
    expect((await manager.put(`${path}/${own.id}`, { name: 'Mine' })).statusCode).toBe(204);
    for (const refused of [
      await manager.post(path, { name: 'All', shared: true }),
      await manager.put(`${path}/${own.id}`, { shared: true }),
      await manager.put(`${path}/${shared}`, { name: 'Taken' }),
      await manager.del(`${path}/${shared}`),
    ])
      expect(refused.statusCode).toBe(403);
    expect((await manager.post(path, { name: 'B', launch_values: answers({ other: 1 }) })).statusCode).toBe(400);
    expect((await manager.del(`${path}/${own.id}`)).statusCode).toBe(204);
  });

  it('of one user are in the activity of that user and of owners only, also after they were deleted', async () => {
    const { admin, ada, bob, path, sample, save } = await setUp();
    const { id } = await save(ada, { name: 'Private' });
    const seen = async (client: typeof admin) =>
      (await client.get(`${sample.base}/events/last`))
        .json<{ description: string }[]>()
        .map((event) => event.description);
    const created = 'Saved launch Private created';
    expect([await seen(ada), await seen(admin)]).toEqual([
      expect.arrayContaining([created]),
      expect.arrayContaining([created]),
    ]);
    expect(await seen(bob)).not.toContain(created);
    await ada.del(`${path}/${id}`);
    expect((await seen(bob)).join()).not.toContain('Private');
    expect(await seen(admin)).toContain('Saved launch Private deleted');
  });

  it('refuse what a task could not be started with, and secret answers, but not missing answers', async () => {
    const { admin, ada, path, sample } = await setUp();
    const refused = async (launch_values: object) => {
      const answer = await admin.post(path, { name: 'Refused', launch_values });
      return [answer.statusCode, Object.keys(answer.json<{ fields?: object }>().fields ?? {})];
    };
    expect(await refused(answers({ other: 1 }))).toEqual([400, ['launch_values.environment.other']]);
    expect(await refused(answers({ token: 'canary' }))).toEqual([400, ['launch_values.environment.token']]);
    expect(await refused(answers({ strategy: 'canary' }))).toEqual([400, ['launch_values.environment.strategy']]);
    expect(await refused({ git_branch: 'develop' })).toEqual([400, ['launch_values.git_branch']]);
    expect(await refused({ arguments: '["-e","x=1"]' })).toEqual([400, ['launch_values.arguments']]);
    const kept = await ada.post(path, { name: 'Kept', launch_values: answers({ strategy: 'rolling' }) });
    expect(kept.statusCode, kept.body).toBe(201);
    const other = await sampleProject(admin, 'Other');
    const elsewhere = `${other.base}/templates/${await other.template()}/launches`;
    expect((await admin.get(`${elsewhere}/${kept.json<SavedLaunch>().id}`)).statusCode).toBe(404);
    expect((await admin.get(`${sample.base}/templates/99999/launches`)).statusCode).toBe(404);
  });

  it('give a schedule its values, also those of later changes, and cannot be deleted meanwhile', async () => {
    const { admin, ada, path, sample, template, save } = await setUp();
    const full = { ...answers({ strategy: 'rolling', count: 3 }), limit: 'staging' };
    const shared = await save(admin, { name: 'Nightly', shared: true, launch_values: full });
    const own = await save(ada, { name: 'Mine', launch_values: full });
    const bare = await save(admin, { name: 'Bare', shared: true });
    const url = `${sample.base}/schedules`;
    const schedule = { template_id: template, cron_format: '@yearly', saved_launch_id: shared.id };
    for (const [change, field] of [
      [{ saved_launch_id: own.id }, 'saved_launch_id'],
      [{ saved_launch_id: bare.id }, 'launch_values.environment.count'],
      [{ launch_values: { limit: 'other' } }, 'launch_values'],
      [{ template_id: await sample.template() }, 'saved_launch_id'],
    ] as const) {
      const answer = await admin.post(url, { ...schedule, ...change });
      expect([answer.statusCode, Object.keys(answer.json<{ fields: object }>().fields)]).toEqual([
        400,
        expect.arrayContaining([field]),
      ]);
    }
    const made = (await admin.post(url, schedule)).json<Schedule>();
    expect(made).toMatchObject({ saved_launch_id: shared.id, launch_values: { limit: 'staging' } });
    const read = async () => (await admin.get(`${url}/${made.id}`)).json<Schedule>();
    expect((await admin.put(`${path}/${shared.id}`, { launch_values: { ...full, limit: 'web' } })).statusCode).toBe(
      204,
    );
    expect((await read()).launch_values.limit).toBe('web');
    for (const [verb, body] of [['del'], ['put', { shared: false }]] as const) {
      const answer = await admin[verb](`${path}/${shared.id}`, body as never);
      expect([answer.statusCode, answer.json().code], answer.body).toEqual([409, 'in_use.saved_launch']);
    }
    // A client that does not know saved launches sends everything back.
    const { saved_launch_id: _, ...known } = await read();
    expect((await admin.put(`${url}/${made.id}`, { ...known, name: 'N' })).statusCode).toBe(204);
    expect((await read()).saved_launch_id).toBe(shared.id);
    expect((await admin.put(`${url}/${made.id}`, { launch_values: { ...full, limit: 'own' } })).statusCode).toBe(204);
    expect(await read()).toMatchObject({ saved_launch_id: null, launch_values: { limit: 'own' } });
    expect((await admin.put(`${url}/${made.id}`, { saved_launch_id: shared.id })).statusCode).toBe(204);
    expect((await read()).launch_values.limit).toBe('web');
    expect((await admin.del(`${sample.base}/templates/${template}`)).statusCode).toBe(204);
    expect((await admin.get(path)).statusCode).toBe(404);
  });

  it('decide with their inventory whether a freeze window holds a schedule', async () => {
    const { admin, sample } = await setUp();
    const cold = { name: 'Cold', type: 'static', inventory: 'web-02', ssh_key_id: sample.keyId };
    const { id: inventory_id } = (await admin.post(`${sample.base}/inventory`, cold)).json<{ id: number }>();
    const hour = 3_600_000;
    const window = {
      ...{ name: 'Year end', reason: 'Books are closed', inventory_id },
      starts_at: new Date(Date.now() - hour).toISOString(),
      ends_at: new Date(Date.now() + 48 * hour).toISOString(),
    };
    const frozen = await admin.post(`${sample.base}/freeze_windows`, window);
    expect(frozen.statusCode, frozen.body).toBe(201);
    const free = await sample.template({ prompts: { inventory_id: 'any' } });
    const launches = `${sample.base}/templates/${free}/launches`;
    const body = { name: 'On cold hosts', shared: true, launch_values: { inventory_id } };
    const { id: saved_launch_id } = (await admin.post(launches, body)).json<SavedLaunch>();
    const schedule = { template_id: free, cron_format: '@daily', saved_launch_id };
    const made = await admin.post(`${sample.base}/schedules`, schedule);
    expect(made.json<Schedule>().freeze, made.body).toMatchObject({ name: 'Year end' });
    const bare = await admin.post(`${sample.base}/schedules`, { template_id: free, cron_format: '@weekly' });
    expect(bare.json<Schedule>().freeze, bare.body).toBeNull();
  });

  it('are at most a hundred of each owner', async () => {
    const { ada, path } = await setUp();
    for (let n = 0; n < 100; n++) expect((await ada.post(path, { name: `Launch ${n}` })).statusCode).toBe(201);
    expect((await ada.post(path, { name: 'One more' })).json().code).toBe('conflict.saved_launches_full');
  });
});
