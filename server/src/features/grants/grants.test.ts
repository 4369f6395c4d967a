import type { Grant, MemberAccess, OwnRole, Task, TemplateAccess } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { describeEachDatabase } from '../../testing/database/databases.ts';
import { addMember, sampleProject } from '../../testing/sample-project.ts';
import { type Client, startTestServer } from '../../testing/test-server.ts';

const idOf = async (client: Client): Promise<number> => (await client.get('/user')).json<{ id: number }>().id;
const SURVEY = [{ name: 'size', title: 'Size', type: 'int' }];

describeEachDatabase('grants', (makeLocation) => {
  const setUp = async (role: 'guest' | 'task_runner' | 'manager' = 'guest') => {
    const server = await startTestServer(await makeLocation());
    const admin = await server.signIn();
    const sample = await sampleProject(admin);
    const { base, projectId } = sample;
    const client = await addMember(server, 'ivo', { projectId, role });
    const user_id = await idOf(client);
    const template_id = await sample.template({
      name: 'Deploy',
      survey_vars: SURVEY,
      allow_parallel_tasks: true,
      prompts: { limit: 'any' },
    });
    const grant = async (body: object) => {
      const answer = await admin.post(`${base}/grants`, { template_id, user_id, ...body });
      expect(answer.statusCode, answer.body).toBe(201);
      return answer.json<Grant>();
    };
    const start = (body: object = {}) =>
      client.post(`${base}/tasks`, { template_id, environment: '{"size":3}', ...body });
    const fieldsOf = (answer: Awaited<ReturnType<typeof start>>) => [
      answer.statusCode,
      Object.keys(answer.json().fields ?? {}),
    ];
    const restrict = (restricted = true) => admin.put(`${base}/templates/${template_id}`, { restricted });
    return { server, admin, sample, base, client, user_id, template_id, grant, start, fieldsOf, restrict };
  };

  it('let a guest start and stop tasks of one template only, until they are taken away', async () => {
    const { admin, sample, base, client, template_id, grant, start } = await setUp();
    expect((await start()).statusCode).toBe(403);
    const { id } = await grant({ rights: ['run'] });
    const task = await start();
    expect(task.statusCode).toBe(201);
    expect((await client.post(`${base}/tasks/${task.json<Task>().id}/stop`, {})).statusCode).toBe(204);
    expect((await client.post(`${base}/tasks`, { template_id: await sample.template() })).statusCode).toBe(403);
    expect((await client.post(`${base}/tasks`, { template_id: 999_999 })).statusCode).toBe(403);
    expect((await client.put(`${base}/templates/${template_id}`, { description: 'x' })).statusCode).toBe(403);
    expect((await client.get(`${base}/role`)).json<OwnRole>().templates).toEqual([
      { template_id, restricted: false, rights: ['see', 'run'], limits: [] },
    ]);
    expect((await admin.del(`${base}/grants/${id}`)).statusCode).toBe(204);
    expect((await start()).statusCode).toBe(403);
    const events = (await admin.get(`${base}/events/last`)).json<{ description: string }[]>();
    expect(events[0]?.description).toBe('Rights on Deploy taken from ivo');
  });

  it('fix inventory, limit and answers of tasks, which no request replaces', async () => {
    const { admin, sample, base, client, template_id, grant, start, fieldsOf } = await setUp();
    const inventory = { name: 'Staging', type: 'static', inventory: 's-01', ssh_key_id: sample.keyId };
    const inventory_id = (await admin.post(`${base}/inventory`, inventory)).json<{ id: number }>().id;
    await grant({ rights: ['run'], inventory_id, limit: 'staging', answers: '{"size":5}' });
    expect(fieldsOf(await start())).toEqual([400, ['environment.size']]);
    const fixed = { environment: '{}' };
    expect(fieldsOf(await start({ ...fixed, limit: 'all' }))).toEqual([400, ['limit']]);
    expect(fieldsOf(await start({ ...fixed, params: { limit: ['all'] } }))).toEqual([400, ['params.limit']]);
    expect(fieldsOf(await start({ ...fixed, inventory_id: sample.inventoryId }))).toEqual([400, ['inventory_id']]);
    expect((await client.get(`${base}/role`)).json<OwnRole>().templates[0]?.limits).toEqual([
      { inventory_id, limit: 'staging', answers: '{"size":5}' },
    ]);
    const task = (await start({ ...fixed, limit: 'staging' })).json<Task>();
    expect(task).toMatchObject({ limit: 'staging', inventory_id, environment: '{"size":5}' });
    const path = `${base}/inventory/${inventory_id}`;
    expect((await admin.del(path)).statusCode).toBe(409);
    expect((await admin.get(`${path}/refs`)).json()).toMatchObject({ templates: [{ id: template_id }] });
    // Variables that the survey does not ask for stay refused.
    expect((await start({ environment: '{"ansible_connection":"local"}' })).statusCode).toBe(403);
  });

  it('do not start a template whose own arguments would replace what they fix', async () => {
    const { admin, sample, base, template_id, grant, start, fieldsOf } = await setUp();
    const { id } = await grant({ rights: ['run'], limit: 'staging' });
    const changed = async (args: string[], fixed: object) => {
      const change = { arguments: JSON.stringify(args) };
      expect((await admin.put(`${base}/templates/${template_id}`, change)).statusCode).toBe(204);
      const grantChange = { rights: ['run'], limit: '', inventory_id: null, answers: '{}', ...fixed };
      expect((await admin.put(`${base}/grants/${id}`, grantChange)).statusCode).toBe(204);
      return fieldsOf(await start());
    };
    const [limit, inventory, answers] = [
      { limit: 'a' },
      { inventory_id: sample.inventoryId },
      { answers: '{"size":3}' },
    ];
    expect(await changed(['--limit=all'], limit)).toEqual([400, ['limit']]);
    expect(await changed(['--inv=prod,'], inventory)).toEqual([400, ['inventory_id']]);
    expect(await changed(['-Ce@more.yml'], answers)).toEqual([400, ['environment']]);
    const free = [201, []];
    expect(await changed(['--limit=all', '-esize=5'], inventory)).toEqual(free);
    expect(await changed(['-i', 'prod,', '-esize=5'], limit)).toEqual(free);
    expect(await changed(['-i', 'prod,', '-lall'], answers)).toEqual(free);
  });

  it('add up: a request must fit one of several limited grants, and one without limits permits all', async () => {
    const { grant, start, fieldsOf } = await setUp();
    await grant({ rights: ['run'], limit: 'staging' });
    await grant({ rights: ['run'], limit: 'test' });
    expect((await start({ limit: 'test' })).json<Task>().limit).toBe('test');
    expect((await start()).json<Task>().limit).toBe('staging');
    expect(fieldsOf(await start({ limit: 'prod' }))).toEqual([400, ['limit']]);
    await grant({ rights: ['run'], answers: '{"size":3}' });
    // The third grant is the only one of which the request has all values.
    expect((await start()).json<Task>().limit).toBe('');
    await grant({ rights: ['run'] });
    expect((await start({ limit: 'prod' })).json<Task>().limit).toBe('prod');
  });

  it('decide alone about a restricted template, also for managers', async () => {
    const { admin, base, client, template_id, grant, start, restrict } = await setUp('manager');
    expect((await restrict()).statusCode).toBe(204);
    expect((await client.get(`${base}/templates/${template_id}`)).statusCode).toBe(404);
    expect((await start()).statusCode).toBe(400);
    const { id } = await grant({ rights: ['see'] });
    expect((await client.get(`${base}/templates/${template_id}`)).statusCode).toBe(200);
    const refused = await start();
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'not_permitted.restriction']);
    const schedule = { template_id, cron_format: '@daily', name: 'Nightly' };
    const unscheduled = await client.post(`${base}/schedules`, schedule);
    expect([unscheduled.statusCode, unscheduled.json().code]).toEqual([403, 'not_permitted.restriction_owners']);
    expect((await client.del(`${base}/templates/${template_id}`)).statusCode).toBe(403);
    expect((await admin.put(`${base}/grants/${id}`, { rights: ['run', 'edit'] })).statusCode).toBe(204);
    expect((await start()).statusCode).toBe(201);
    expect((await client.put(`${base}/templates/${template_id}`, { description: 'mine' })).statusCode).toBe(204);
    // Only owners change who sees it.
    expect((await client.put(`${base}/templates/${template_id}`, { restricted: false })).statusCode).toBe(403);
    expect((await client.del(`${base}/templates/${template_id}`)).statusCode).toBe(403);
  });

  it('of a view count for its templates, and members cannot move templates around a restriction', async () => {
    const { admin, sample, base, client, template_id, user_id } = await setUp('manager');
    const view = (title: string, restricted: boolean) => admin.post(`${base}/views`, { title, restricted });
    const closed = (await view('Releases', true)).json<{ id: number }>().id;
    const open = (await view('All', false)).json<{ id: number }>().id;
    await admin.put(`${base}/templates/${template_id}`, { view_id: closed });
    expect((await client.get(`${base}/views`)).json<object[]>()).toHaveLength(1);
    expect((await client.get(`${base}/views/${closed}`)).statusCode).toBe(404);
    expect((await client.del(`${base}/views/${closed}`)).statusCode).toBe(404);
    expect((await client.put(`${base}/views/${open}`, { restricted: true })).statusCode).toBe(403);
    const other = await sample.template();
    expect((await client.put(`${base}/templates/${other}`, { view_id: closed })).statusCode).toBe(400);
    const granted = { view_id: closed, template_id: null, user_id, rights: ['edit'] };
    expect((await admin.post(`${base}/grants`, granted)).statusCode).toBe(201);
    expect((await client.get(`${base}/views`)).json<object[]>()).toHaveLength(2);
    expect((await client.put(`${base}/templates/${template_id}`, { description: 'mine' })).statusCode).toBe(204);
    expect((await client.put(`${base}/templates/${template_id}`, { view_id: open })).statusCode).toBe(403);
    expect((await client.del(`${base}/views/${closed}`)).statusCode).toBe(403);
  });

  it('to edit do not change what starts tasks of the template, or what freezes it', async () => {
    const { sample, admin, base, client, template_id, grant } = await setUp();
    const hidden = await sample.template({ type: 'build', start_version: '1', restricted: true });
    await grant({ rights: ['edit'] });
    const label = (await admin.post(`${base}/labels`, { name: 'prod' })).json<{ id: number }>().id;
    for (const change of [{ type: 'deploy', build_template_id: hidden, autorun: true }, { labels: [label] }])
      expect([400, 403], JSON.stringify(change)).toContain(
        (await client.put(`${base}/templates/${template_id}`, change)).statusCode,
      );
    expect((await client.put(`${base}/templates/${template_id}`, { description: 'mine' })).statusCode).toBe(204);
  });

  it('end when the user leaves the project', async () => {
    const { admin, base, user_id, grant, start } = await setUp();
    await grant({ rights: ['run'] });
    await admin.del(`${base}/users/${user_id}`);
    expect((await admin.get(`${base}/grants`)).json()).toEqual([]);
    await admin.post(`${base}/users`, { user_id, role: 'guest' });
    expect((await start()).statusCode).toBe(403);
  });

  it('are listed as one table for a template and one for a member, with the reasons', async () => {
    const { admin, base, template_id, user_id, grant, restrict } = await setUp('task_runner');
    await restrict();
    const { id } = await grant({ rights: ['run'], limit: 'staging' });
    const ofTemplate = (await admin.get(`${base}/templates/${template_id}/access`)).json<MemberAccess[]>();
    const byGrant = { allowed: true, reason: 'grant', grant_ids: [id], limited: true };
    expect(ofTemplate.find((one) => one.user_id === user_id)).toMatchObject({
      name: 'ivo',
      role: 'task_runner',
      run: byGrant,
      edit: { allowed: false, reason: 'restricted', grant_ids: [] },
    });
    expect(ofTemplate.find(({ name }) => name !== 'ivo')).toMatchObject({ see: { allowed: true, reason: 'admin' } });
    const ofMember = (await admin.get(`${base}/users/${user_id}/access`)).json<TemplateAccess[]>();
    expect(ofMember).toMatchObject([{ template_id, name: 'Deploy', run: byGrant }]);
    expect((await admin.get(`${base}/users/999999/access`)).statusCode).toBe(404);
  });

  it('refuse fixed answers that no task could have', async () => {
    const { admin, sample, base, user_id } = await setUp();
    const survey_vars = [
      {
        name: 'strategy',
        title: 'Strategy',
        type: 'enum',
        values: [{ value: 'all' }, { value: 'canary' }],
        default_value: 'canary',
      },
      { name: 'first', type: 'int', max: 5, show_when: { variable: 'strategy', values: ['canary'] } },
      { name: 'release', type: '', pattern: '\\d+', required: true },
    ];
    const template_id = await sample.template({ survey_vars });
    const fields = async (answers: object) => {
      const body = { template_id, user_id, rights: ['run'], answers: JSON.stringify(answers) };
      const answer = await admin.post(`${base}/grants`, body);
      return answer.statusCode === 201 ? [] : [answer.statusCode, ...Object.keys(answer.json().fields)];
    };
    expect(await fields({ first: 3 })).toEqual([400, 'answers.first']);
    expect(await fields({ strategy: 'all', first: 3 })).toEqual([400, 'answers.first']);
    expect(await fields({ strategy: 'canary', first: 9, release: 'x' })).toEqual([
      400,
      'answers.first',
      'answers.release',
    ]);
    expect(await fields({ release: '' })).toEqual([400, 'answers.release']);
    // A fixed answer without a value, also of an optional variable or of one that is not asked for.
    expect(await fields({ strategy: null })).toEqual([400, 'answers.strategy']);
    expect(await fields({ first: null })).toEqual([400, 'answers.first']);
    expect(await fields({ strategy: 'canary', first: null })).toEqual([400, 'answers.first']);
    expect(await fields({ strategy: 'canary', first: 3, release: '7' })).toEqual([]);
  });

  it('refuse what they cannot mean', async () => {
    const { admin, sample, base, user_id, template_id } = await setUp();
    const foreign = await sampleProject(admin, 'Other');
    for (const body of [
      { template_id, view_id: 1, user_id, rights: ['run'] },
      { user_id, rights: ['run'] },
      { template_id, rights: ['run'] },
      { template_id, user_id, role: 'guest', rights: ['run'] },
      { template_id, user_id, rights: [] },
      { template_id, user_id, rights: ['own'] },
      { template_id: await foreign.template(), user_id, rights: ['run'] },
      { template_id, user_id: 999_999, rights: ['run'] },
      { template_id, role: 'custom', rights: ['run'] },
      { template_id, user_id, rights: ['see'], limit: 'staging' },
      { template_id, user_id, rights: ['run'], limit: '@file' },
      { template_id, user_id, rights: ['run'], answers: '{"other":1}' },
      { template_id, user_id, rights: ['run'], inventory_id: foreign.inventoryId },
    ])
      expect((await admin.post(`${base}/grants`, body)).statusCode, JSON.stringify(body)).toBe(400);
    expect((await admin.del(`${base}/inventory/${sample.inventoryId}`)).statusCode).toBe(409);
  });
});
