import { MAX_TAG_SETS, type Task } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { describeOneDatabase } from '../../../testing/database/databases.ts';
import { addMember, sampleProject } from '../../../testing/sample-project.ts';
import { startTestServer } from '../../../testing/test-server.ts';

const setUp = async (location: Parameters<typeof startTestServer>[0]) => {
  const server = await startTestServer(location);
  const admin = await server.signIn();
  const sample = await sampleProject(admin);
  const runner = await addMember(server, 'runner', { projectId: sample.projectId, role: 'task_runner' });
  const create = async (kind: string, body: object): Promise<number> => {
    const answer = await admin.post(`${sample.base}/${kind}`, body);
    expect(answer.statusCode, answer.body).toBe(201);
    return answer.json<{ id: number }>().id;
  };
  const launch = (body: object) => runner.post(`${sample.base}/tasks`, body);
  const launched = async (body: object): Promise<Task> => {
    const answer = await launch(body);
    expect(answer.statusCode, answer.body).toBe(201);
    return answer.json<Task>();
  };
  const refused = async (body: object): Promise<Record<string, string>> => {
    const answer = await launch(body);
    expect(answer.statusCode, JSON.stringify(body)).toBe(400);
    return answer.json<{ fields: Record<string, string> }>().fields;
  };
  return { admin, database: server.storage.database, sample, create, launch, launched, refused };
};

const OPTIONS = {
  limit: 'staging',
  tags: ['web'],
  skip_tags: ['slow'],
  verbosity: 1,
  forks: 5,
  dry_run: true,
  diff: true,
  runner_tags: ['dmz', 'gpu'],
  priority: 3,
};
const EVERY = [
  'limit',
  'tags',
  'skip_tags',
  'verbosity',
  'forks',
  'dry_run',
  'diff',
  'runner_tags',
  'priority',
] as const;
const OTHER = {
  limit: 'all',
  tags: ['db'],
  skip_tags: [],
  verbosity: 0,
  forks: 9,
  dry_run: false,
  diff: false,
  runner_tags: [],
  priority: -10,
};

describeOneDatabase('the options of a task', (makeLocation) => {
  it('are those of its template, also if a client sends them again or sends empty ones', async () => {
    const { sample, launched } = await setUp(await makeLocation());
    const template_id = await sample.template({
      options: OPTIONS,
      prompts: Object.fromEntries(EVERY.map((name) => [name, 'fixed'])),
    });
    for (const body of [{}, OPTIONS, { limit: '', tags: [], skip_tags: null, params: { tags: [], limit: [] } }])
      expect(await launched({ template_id, ...body })).toMatchObject({ ...OPTIONS, debug: false });
  });

  it('are refused together with the answers to the survey, patterns and limits included', async () => {
    const { sample, refused } = await setUp(await makeLocation());
    const template_id = await sample.template({
      options: OPTIONS,
      prompts: { limit: 'fixed' },
      survey_vars: [
        { name: 'release', title: 'Release', pattern: '\\d+\\.\\d+' },
        { name: 'count', title: 'Count', type: 'int', max: 5 },
        { name: 'owner', title: 'Owner', required: true },
      ],
    });
    const environment = JSON.stringify({ release: 'two', count: 6 });
    expect(
      Object.keys(await refused({ template_id, limit: 'all', playbook: 'x.yml', environment })).toSorted(),
    ).toEqual(['environment.count', 'environment.owner', 'environment.release', 'limit', 'playbook']);
  });

  it('[S7] cannot be changed where the template fixes them, neither as a field nor as an argument', async () => {
    const { sample, refused } = await setUp(await makeLocation());
    const template_id = await sample.template({
      options: OPTIONS,
      prompts: Object.fromEntries(EVERY.map((name) => [name, 'fixed'])),
      allow_override_args_in_task: true,
    });
    for (const name of EVERY)
      expect(Object.keys(await refused({ template_id, [name]: OTHER[name] })), name).toEqual([name]);
    expect(Object.keys(await refused({ template_id, ...OTHER })), 'all together').toEqual([...EVERY]);
    expect(Object.keys(await refused({ template_id, params: { tags: ['db'] } }))).toEqual(['params.tags']);
    expect(Object.keys(await refused({ template_id, debug: true }))).toEqual(['debug']);
    expect(Object.keys(await refused({ template_id, params: { debug: true, debug_level: 3 } }))).toEqual([
      'params.debug',
    ]);
    for (const args of [['--limit', 'all'], ['-l', 'all'], ['--tags=db'], ['-C'], ['-vv'], ['--forks', '9']])
      expect(await refused({ template_id, arguments: JSON.stringify(args) })).toMatchObject({
        arguments: expect.stringContaining('the template fixes or restricts this option'),
      });
  });

  it('are named in a refusal as the template has them, vaults with their names and keys', async () => {
    const { sample, create, launch } = await setUp(await makeLocation());
    const login_password = { login: '', password: 'open sesame' };
    const key = await create('keys', { name: 'Vault', type: 'login_password', login_password });
    const vaults = [{ name: 'prod', vault_key_id: key }];
    const template_id = await sample.template({ vault_key_id: key, vaults, prompts: { vaults: 'fixed' } });
    const answer = await launch({ template_id, vaults: [] });
    expect(answer.json<{ error: string }>().error).toContain(`vaults must be ${key}, prod=${key} as in the template`);
  });

  it('do not include a limit if the arguments of the template set one, which would replace it', async () => {
    const { sample, launched, refused } = await setUp(await makeLocation());
    const template_id = await sample.template({ arguments: '["--limit","staging"]' });
    expect(await launched({ template_id })).toMatchObject({ limit: '' });
    expect(Object.keys(await refused({ template_id, limit: 'web-1' }))).toEqual(['limit']);
    expect(Object.keys(await refused({ template_id, params: { limit: ['web-1'] } }))).toEqual(['params.limit']);
  });

  it('can be changed where the template permits it', async () => {
    const { sample, launched } = await setUp(await makeLocation());
    const template_id = await sample.template({
      options: OPTIONS,
      prompts: Object.fromEntries(EVERY.map((name) => [name, 'any'])),
    });
    expect(await launched({ template_id, ...OTHER })).toMatchObject(OTHER);
    expect(await launched({ template_id, debug: true })).toMatchObject({ debug: true, verbosity: 4, limit: 'staging' });
  });

  it('can only have values of a list where the template has one', async () => {
    const { sample, launched, refused } = await setUp(await makeLocation());
    const template_id = await sample.template({
      options: { limit: 'staging', tags: ['web'] },
      prompts: { limit: ['web', 'db'], tags: ['a', 'b'], forks: [5, 10], git_branch: ['release', 'v2'] },
    });
    expect(await launched({ template_id, limit: 'db', tags: ['b', 'a'], forks: 10 })).toMatchObject({
      limit: 'db',
      tags: ['b', 'a'],
      forks: 10,
    });
    expect(await launched({ template_id, limit: 'staging', tags: ['web'], git_branch: 'v2' })).toMatchObject({
      limit: 'staging',
      git_branch: 'v2',
    });
    expect(await refused({ template_id, limit: 'web:db' })).toEqual({ limit: 'must be one of web, db' });
    expect(await refused({ template_id, tags: ['a', 'c'] })).toEqual({ tags: 'must be one of a, b' });
    expect(await refused({ template_id, forks: 6 })).toEqual({ forks: 'must be one of 5, 10' });
    expect(await refused({ template_id, git_branch: 'other' })).toEqual({
      git_branch: 'must be one of release, v2',
    });
  });

  it('keep a task on the runners of a list, and order equal tags equally', async () => {
    const { sample, launched, refused } = await setUp(await makeLocation());
    const template_id = await sample.template({
      options: { runner_tags: ['gpu', 'dmz', 'gpu'], priority: 3 },
      prompts: { runner_tags: ['dmz', 'lan'], priority: [0, 5] },
    });
    expect(await launched({ template_id })).toMatchObject({ runner_tags: ['dmz', 'gpu'], priority: 3 });
    expect(await launched({ template_id, runner_tags: ['gpu', 'dmz'] })).toMatchObject({ runner_tags: ['dmz', 'gpu'] });
    expect(await launched({ template_id, runner_tags: ['lan', 'dmz'], priority: 5 })).toMatchObject({
      runner_tags: ['dmz', 'lan'],
      priority: 5,
    });
    const empty = await sample.template({ prompts: { runner_tags: ['dmz', 'lan'], skip_tags: ['slow'] } });
    for (const more of [{}, { runner_tags: [] }])
      expect(await refused({ template_id: empty, ...more })).toEqual({ runner_tags: 'must be one of dmz, lan' });
    expect(await launched({ template_id: empty, runner_tags: ['lan'] })).toMatchObject({ runner_tags: ['lan'] });
    const skipping = await sample.template({ options: { skip_tags: ['danger'] }, prompts: { skip_tags: ['slow'] } });
    expect(await refused({ template_id: skipping, skip_tags: [] })).toEqual({ skip_tags: 'must be one of slow' });
    expect(await launched({ template_id: skipping, skip_tags: null })).toMatchObject({ skip_tags: ['danger'] });
    for (const runner_tags of [[], ['gpu'], ['lan', 'other']])
      expect(await refused({ template_id, runner_tags })).toEqual({ runner_tags: 'must be one of dmz, lan' });
    expect(await refused({ template_id, priority: 6 })).toEqual({ priority: 'must be one of 0, 5' });
    for (const priority of [11, -11, 0.5])
      expect(Object.keys(await refused({ template_id, priority }))).toEqual(['priority']);
    for (const tag of ['', 'a b', '-x', 'a,b', 'x'.repeat(51), 'é'])
      expect(Object.keys(await refused({ template_id, runner_tags: [tag] })), tag).toEqual(['runner_tags.0']);
  });

  it('follow the arguments where the template does not decide: tags and forks', async () => {
    const { sample, launched, refused } = await setUp(await makeLocation());
    const free = await sample.template({ allow_override_args_in_task: true });
    expect(await launched({ template_id: free, tags: ['a'], forks: 3 })).toMatchObject({ tags: ['a'], forks: 3 });
    const closed = await sample.template();
    expect(Object.keys(await refused({ template_id: closed, tags: ['a'] }))).toEqual(['tags']);
  });

  it('[S2] may name inventories, environments and keys of the project only', async () => {
    const { admin, sample, create, launched, refused } = await setUp(await makeLocation());
    const foreign = await sampleProject(admin, 'Foreign');
    const login = { type: 'login_password', login_password: { login: '', password: 'vault-word' } };
    const password = await create('keys', { name: 'Vault', ...login });
    const none = await create('keys', { name: 'Nothing', type: 'none' });
    const inventory_id = await create('inventory', { name: 'B', type: 'static', inventory: 'b', ssh_key_id: none });
    const environment_id = await create('environment', { name: 'B' });
    const prompts = { inventory_id: 'any', environment_id: 'any', vaults: 'any' };
    const template_id = await sample.template({ prompts });
    const vaults = [{ name: 'prod', vault_key_id: password }];
    expect(await launched({ template_id, inventory_id, environment_id, vaults })).toMatchObject({
      inventory_id,
      environment_id,
      vaults,
    });
    expect(await refused({ template_id, inventory_id: foreign.inventoryId })).toEqual(
      await refused({ template_id, inventory_id: 2_000_000_000 }),
    );
    expect(Object.keys(await refused({ template_id, environment_id: foreign.environmentId }))).toEqual([
      'environment_id',
    ]);
    for (const vault_key_id of [none, 2_000_000_000])
      expect(Object.keys(await refused({ template_id, vaults: [{ name: '', vault_key_id }] }))).toEqual([
        'vaults.0.vault_key_id',
      ]);
    const closed = await sample.template();
    expect(Object.keys(await refused({ template_id: closed, inventory_id }))).toEqual(['inventory_id']);
  });

  it('permit every commit only with every branch', async () => {
    const { sample, launch } = await setUp(await makeLocation());
    const commit_hash = 'a'.repeat(40);
    const some = await sample.template({ prompts: { git_branch: ['v2'] } });
    expect((await launch({ template_id: some, commit_hash })).statusCode).toBe(403);
    const every = await sample.template({ prompts: { git_branch: 'any' } });
    expect((await launch({ template_id: every, commit_hash })).statusCode).toBe(201);
  });
});

describeOneDatabase('the objects that a template offers', (makeLocation) => {
  it('must belong to the project, and cannot be deleted', async () => {
    const { admin, sample, create } = await setUp(await makeLocation());
    const foreign = await sampleProject(admin, 'Foreign');
    const none = await create('keys', { name: 'Nothing', type: 'none' });
    const login = { type: 'login_password', login_password: { login: '', password: 'vault-word' } };
    const key = await create('keys', { name: 'Vault', ...login });
    const inventory = await create('inventory', { name: 'B', type: 'static', inventory: 'b', ssh_key_id: none });
    const environment = await create('environment', { name: 'B' });
    const vaults = [{ name: 'prod', vault_key_id: key }];
    const prompts = { inventory_id: [inventory], environment_id: [environment] };
    const template_id = await sample.template({ name: 'Offers', vaults, prompts });
    const path = `${sample.base}/templates/${template_id}`;
    expect((await admin.get(path)).json()).toMatchObject({ vaults, prompts });
    for (const [kind, id] of [
      ['keys', key],
      ['inventory', inventory],
      ['environment', environment],
    ] as const) {
      expect((await admin.del(`${sample.base}/${kind}/${id}`)).statusCode, kind).toBe(409);
      const refs = (await admin.get(`${sample.base}/${kind}/${id}/refs`)).json<{ templates: object[] }>();
      expect(refs.templates).toEqual([{ id: template_id, name: 'Offers' }]);
    }
    const toNone = await admin.put(`${sample.base}/keys/${key}`, { type: 'none', override_secret: true });
    expect(toNone.statusCode).toBe(409);
    for (const [field, body] of [
      ['prompts.inventory_id.0', { prompts: { inventory_id: [foreign.inventoryId] } }],
      ['prompts.environment_id.0', { prompts: { environment_id: [foreign.environmentId] } }],
      ['vaults.0.vault_key_id', { vaults: [{ name: 'prod', vault_key_id: none }] }],
      ['vaults', { vaults: [...vaults, ...vaults] }],
      ['vaults.0.name', { vaults: [{ name: 'a@b', vault_key_id: key }] }],
    ] as const) {
      const answer = await admin.put(path, body);
      expect(answer.statusCode, field).toBe(400);
      expect(Object.keys(answer.json<{ fields: object }>().fields)).toEqual([field]);
    }
    expect((await admin.put(path, { vaults: [], prompts: {} })).statusCode).toBe(204);
    expect((await admin.del(`${sample.base}/keys/${key}`)).statusCode).toBe(204);
  });

  it('has a limited number of different sets of runner tags in the queue of a project', async () => {
    const { database, sample, launch, launched } = await setUp(await makeLocation());
    const template_id = await sample.template({ prompts: { runner_tags: 'any' } });
    const { id } = await launched({ template_id, runner_tags: ['first'] });
    const db = database.autocommit;
    const { project_id, created } = await db
      .selectFrom('task')
      .select(['project_id', 'created'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const texts = { message: '', tpl_alias: '', tpl_playbook: '', arguments: '[]', environment: '{}', limit_hosts: '' };
    const nothing = { user_id: null, version: null, build_task_id: null, commit_hash: null } as const;
    const flags = { debug: 0, dry_run: 0, diff: 0 } as const;
    const row = {
      ...texts,
      ...nothing,
      ...flags,
      project_id,
      template_id,
      created,
      status: 'waiting',
      tpl_type: '',
    } as const;
    for (let from = 1; from < MAX_TAG_SETS; from += 100)
      await db
        .insertInto('task')
        .values(Array.from({ length: 100 }, (_one, n) => ({ ...row, runner_tags: JSON.stringify([`t${from + n}`]) })))
        .execute();
    const refused = await launch({ template_id, runner_tags: ['another'] });
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'conflict.tag_sets_full']);
    for (const runner_tags of [['first'], []])
      expect((await launch({ template_id, runner_tags })).statusCode).toBe(201);
  });
});
