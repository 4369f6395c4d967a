import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NewTask, type SavedLaunch } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { SYSTEM } from '../../audit/record-event.ts';
import { EVERY_ENVIRONMENT } from '../../execution-environments.ts';
import { launchTask } from '../../features/tasks/launch/task-launch.ts';
import { decryptKeySecret } from '../../secrets/key-secret.ts';
import { decryptReceiver } from '../../secrets/receiver-secret.ts';
import { decryptVariable } from '../../secrets/variable-secret.ts';
import { describeOneEmptyDatabase } from '../../testing/database/databases.ts';
import { makeEmptyState } from '../../testing/database/empty-state.ts';
import { SEMAPHORE_BACKUP } from '../../testing/semaphore-backup.ts';
import { signalbox } from '../../testing/signalbox-process.ts';
import { type Client, startTestServer, type TestServer } from '../../testing/test-server.ts';

const made = async (client: Client, path: string, body: object): Promise<number> => {
  const answer = await client.post(path, body);
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<{ id: number }>().id;
};

/** Creates a project with one object of every kind that a file may contain. */
const fill = async (admin: Client): Promise<string> => {
  const id = await made(admin, '/projects', { name: 'Shop', alert: true, alert_language: 'de', max_parallel_tasks: 3 });
  const base = `/project/${id}`;
  const none = await made(admin, `${base}/keys`, { name: 'None', type: 'none' });
  const vault = await made(admin, `${base}/keys`, {
    name: 'Vault',
    type: 'login_password',
    login_password: { login: 'root', password: 'a vault secret' },
  });
  const ssh = { login: 'deploy', private_key: 'a private key', passphrase: 'its phrase' };
  await made(admin, `${base}/keys`, { name: 'Deploy', type: 'ssh', ssh });
  const repository = await made(admin, `${base}/repositories`, {
    name: 'Playbooks',
    git_url: 'https://hidden@git.example/x.git',
    git_branch: 'main',
    ssh_key_id: none,
  });
  const inventory = await made(admin, `${base}/inventory`, {
    name: 'Hosts',
    type: 'static',
    inventory: 'web-01',
    ssh_key_id: none,
    become_key_id: vault,
  });
  const environment = await made(admin, `${base}/environment`, {
    name: 'Live',
    json: '{"a":1}',
    env: '{"B":"2"}',
    secrets: [{ name: 'token', type: 'var', secret: 'a hidden value' }],
  });
  const view = await made(admin, `${base}/views`, { title: 'Deploys' });
  const locations = { inventory_id: inventory, environment_id: environment, repository_id: repository, view_id: view };
  const survey_vars = [
    { name: 'count', title: 'How many', type: 'int', required: true, min: 1, max: 9, group: 'Size' },
    { name: 'why', type: 'enum', values: [{ value: 'fix' }], show_when: { variable: 'count', values: ['9'] } },
  ];
  const build = await made(admin, `${base}/templates`, {
    name: 'Build',
    ...{ type: 'build', start_version: '1.0.0', playbook: 'build.yml' },
    ...{ lock_hosts: true, locks: ['release-{{ count }}'] },
    vault_key_id: vault,
    vaults: [{ name: 'prod', vault_key_id: vault }],
    options: { limit: 'web', forks: 3 },
    prompts: { inventory_id: [locations.inventory_id], environment_id: 'any', limit: ['web', 'db'] },
    survey_vars,
    ...locations,
  });
  const deploy = { name: 'A deploy', type: 'deploy', build_template_id: build, playbook: 'deploy.yml', autorun: true };
  const release = { name: 'release', type: 'enum', source: { type: 'versions', template_id: build } };
  const template_id = await made(admin, `${base}/templates`, { ...deploy, survey_vars: [release], ...locations });
  await made(admin, `${base}/schedules`, { template_id, cron_format: '@daily', name: 'Nightly', active: false });
  await made(admin, `${base}/webhooks`, {
    ...{ template_id, name: 'Released', sender_check: 'none', active: false, delivery_header: 'X-Delivery' },
    matchers: [{ source: 'body', path: '$.action', method: 'equals', value: 'published' }],
    extractors: [{ source: 'body', path: '$.name', target: 'message' }],
    launch_values: { message: 'A release' },
  });
  const launches = `${base}/templates/${template_id}/launches`;
  const staging = { name: 'Staging only', shared: true, launch_values: { limit: 'staging' } };
  const saved_launch_id = await made(admin, launches, staging);
  await made(admin, launches, { name: 'Only for the admin' });
  await made(admin, `${base}/schedules`, { template_id, cron_format: '@weekly', active: false, saved_launch_id });
  await made(admin, `${base}/filters`, { name: 'Failed', shared: true, filter: { search: 'web', template_id } });
  await made(admin, `${base}/alerts/receivers`, {
    name: 'Pager',
    kind: 'webhook',
    url: 'https://pager.example/a-hidden-path',
    secret: 'a hidden signature',
    active: false,
  });
  return base;
};

const NO_ADDRESS = 'The webhook Released of the template A deploy is paused: it needs a new address.';

const LISTS = [
  'keys',
  'repositories',
  'inventory',
  'environment',
  'views',
  'templates',
  'schedules',
  'webhooks',
  'filters',
  'alerts/receivers',
];

/** Returns everything in a project as the API answers it, with ids replaced by names. */
const contents = async (client: Client, base: string): Promise<unknown> => {
  const lists = await Promise.all(LISTS.map(async (list) => (await client.get(`${base}/${list}`)).json<object[]>()));
  const names = new Map<string, string>();
  for (const [index, rows] of (lists as Record<string, unknown>[][]).entries())
    for (const row of rows) names.set(`${LISTS[index]}:${row.id}`, String(row.name ?? row.title));
  const templates = lists[LISTS.indexOf('templates')] as { id: number }[];
  const shown: object[][] = [];
  for (const { id } of templates) {
    const launches = (await client.get(`${base}/templates/${id}/launches`)).json<SavedLaunch[]>();
    shown.push(launches.filter(({ shared }) => shared));
    for (const launch of launches) names.set(`launches:${launch.id}`, launch.name);
  }
  const KINDS: Record<string, string> = {
    saved_launch_id: 'launches',
    ssh_key_id: 'keys',
    become_key_id: 'keys',
    vault_key_id: 'keys',
    inventory_id: 'inventory',
    environment_id: 'environment',
    repository_id: 'repositories',
    view_id: 'views',
    template_id: 'templates',
    build_template_id: 'templates',
  };
  return JSON.parse(JSON.stringify([...lists.slice(0, -1), ...shown, lists.at(-1)]), (key, value: unknown) => {
    if (key === 'id' || key === 'project_id' || key === 'created') return undefined;
    const nameOf = (id: unknown) => names.get(`${KINDS[key]}:${id}`);
    if (!(key in KINDS)) return value;
    if (Array.isArray(value)) return value.map(nameOf);
    return typeof value === 'number' ? nameOf(value) : value;
  }) as unknown;
};

const secretsOf = async ({ storage }: TestServer, projectId: number): Promise<string[]> => {
  const { read } = storage.database;
  const keys = await read.selectFrom('access_key').selectAll().where('project_id', '=', projectId).execute();
  const variables = await read
    .selectFrom('environment_secret')
    .innerJoin('environment', 'environment.id', 'environment_secret.environment_id')
    .selectAll('environment_secret')
    .where('project_id', '=', projectId)
    .execute();
  const receivers = await read.selectFrom('alert_receiver').selectAll().where('project_id', '=', projectId).execute();
  return [
    ...receivers.map((receiver) => JSON.stringify(decryptReceiver(storage.master, receiver))),
    ...keys.map((key) => JSON.stringify(decryptKeySecret(storage.master, key))),
    ...variables.map((variable) => decryptVariable(storage.master, variable)),
  ].toSorted();
};

/** Users can start a template that lost something at its import. Schedules can do so only after a user has saved it. */
const startsOnlyOnceSaved = async (server: TestServer): Promise<void> => {
  const admin = await server.signIn();
  const { database } = server.storage;
  const [template] = (await admin.get('/project/1/templates?sort=name&order=desc')).json<
    { id: number; name: string }[]
  >();
  expect(template?.name).toBe('Roll out');
  const path = `/project/1/templates/${template?.id}`;
  await admin.put(path, { type: '' });
  await database.autocommit
    .updateTable('template')
    .set({ lost_at_import: 'limit,git_branch' })
    .where('name', '=', 'Roll out')
    .execute();
  const request = NewTask.parse({ template_id: template?.id });
  const launch = { projectId: 1, request, environments: EVERY_ENVIRONMENT, actor: SYSTEM, scheduleName: 'Nightly' };
  const start = () => database.write((tx) => launchTask(tx, { ...launch, mayOverride: false, now: new Date() }));
  await expect(start()).rejects.toThrow('The import could not keep limit, git_branch');
  expect((await admin.post('/project/1/tasks', { template_id: template?.id })).statusCode).toBe(201);
  await admin.put(path, {});
  expect((await admin.get(path)).json()).toMatchObject({ lost_at_import: [] });
  expect(await start()).toMatchObject({ status: 'waiting' });
};

const ENCRYPTED_TEXTS = [
  'a vault secret',
  'a private key',
  'its phrase',
  'a hidden value',
  'a-hidden-path',
  'a hidden signature',
  'hidden@',
];

describeOneEmptyDatabase('signalbox project', (makeLocation) => {
  it('exports a project to a file and imports the same project, with its secrets if the passphrase is given', async () => {
    const location = await makeLocation();
    const server = await startTestServer(location);
    const admin = await server.signIn();
    const base = await fill(admin);
    const file = join(location.folder, 'shop.json');
    const exported = await signalbox(
      location,
      'project',
      'export',
      'Shop',
      '--output',
      file,
      '--with-secrets',
      '--passphrase',
      'open',
    ).ended;
    expect(exported, exported.output).toMatchObject({ code: 0 });
    const text = readFileSync(file, 'utf8');
    for (const secret of ENCRYPTED_TEXTS) expect(text).not.toContain(secret);
    expect(text).not.toContain('Only for the admin');
    const wrong = await signalbox(location, 'project', 'import', file, '--passphrase', 'wrong').ended;
    expect(wrong).toEqual({ code: 1, output: 'The passphrase of the secrets in this file is wrong.\n' });

    const again = await signalbox(location, 'project', 'import', file, '--name', 'Again', '--passphrase', 'open').ended;
    expect(again).toEqual({
      code: 0,
      output: `${NO_ADDRESS}\nProject Again was created with id 2; its owner is admin.\n`,
    });
    expect(await contents(admin, '/project/2')).toEqual(await contents(admin, base));
    expect(await secretsOf(server, 2)).toEqual(await secretsOf(server, 1));
    const projects = JSON.parse((await signalbox(location, 'project', 'list', '--json').ended).output) as object[];
    expect(projects).toMatchObject([
      { name: 'Shop' },
      { name: 'Again', alert: true, alert_language: 'de', max_parallel_tasks: 3 },
    ]);
  });

  it('leaves secrets out by default, and lists at the import which ones to enter', async () => {
    const location = await makeLocation();
    const server = await startTestServer(location);
    const admin = await server.signIn();
    const base = await fill(admin);
    const { code, output } = await signalbox(location, 'project', 'export', '1').ended;
    expect(code).toBe(0);
    for (const secret of ENCRYPTED_TEXTS) expect(output).not.toContain(secret);
    expect(JSON.parse(output)).toMatchObject({ signalbox_project: 1, secrets: null });
    const file = join(location.folder, 'shop.json');
    writeFileSync(file, output);
    const imported = await signalbox(location, 'project', 'import', file, '--json').ended;
    expect(JSON.parse(imported.output)).toEqual({
      id: 2,
      name: 'Shop',
      owner: 'admin',
      notes: [
        'The key Vault has no secret, because the file contains none.',
        'The key Deploy has no secret, because the file contains none.',
        'The secret variable token of the environment Live is empty, because the file contains no value.',
        NO_ADDRESS,
        'The alert receiver Pager is left out: its address is secret, and the file contains none.',
      ],
    });
    // The addresses of the repository and of the receiver are secrets.
    const receivers = (await admin.get(`${base}/alerts/receivers`)).json<object[]>();
    expect(receivers).toHaveLength(1);
    const now = JSON.stringify(await contents(admin, '/project/2'));
    const whole = (await contents(admin, base)) as object[];
    const left = JSON.stringify([...whole.slice(0, -1), []]).replaceAll(/"login":"\w+"/g, '"login":""');
    expect(now).toBe(left.replace('hidden@', ''));
  });

  it('imports a project of Semaphore UI and reports everything that is lost', async () => {
    const location = await makeLocation();
    const server = await startTestServer(location);
    const admin = await server.signIn();
    const file = join(location.folder, 'backup.json');
    writeFileSync(file, JSON.stringify(SEMAPHORE_BACKUP));
    const { code, output } = await signalbox(location, 'project', 'import', file).ended;
    expect(code, output).toBe(0);
    expect(output.trimEnd().split('\n').toSorted()).toEqual(
      [
        'The webhook Hook is left out: it has no template.',
        'The webhook Feed is left out: Signalbox reads no body of type xml.',
        'The webhook Password is left out: Signalbox has no check of the sender by basic.',
        'The webhook Release of the template Build loses the value of nowhere, for which the survey of its template does not ask.',
        'The webhook Release of the template Build is paused: it needs a new address and a secret.',
        'The webhook Token loses the header X-Token: the secret must be sent as Authorization: Bearer.',
        'The webhook Token loses the spaces between the parts of the body, which its condition for the whole body does not see.',
        'The webhook Token loses the value of folder, which Signalbox does not support.',
        'The webhook Token loses task_params, which Signalbox does not support.',
        'The webhook Token of the template Roll out is paused: it needs a new address and a secret.',
        'A vault of the template Roll out is left out: Signalbox does not support vault passwords from scripts.',
        'The survey variable size of the template Roll out loses 2 of its choices, which are empty or repeated.',
        'The survey variable pin of the template Roll out loses its default, which is not a valid answer of its type.',
        'The survey variable empty of the template Roll out becomes a text: Signalbox has no type enum without choices.',
        'The survey of the template Build is left out: it cannot be read.',
        'The template Roll out loses git_branch, which Signalbox does not support.',
        'No schedule and no webhook starts the template Roll out until a user has checked it and saved it once.',
        'The schedule * * * * * of the template Build is paused: check it, then resume it.',
        'The password in the address of the repository Closed becomes the key Login of Closed.',
        'The repository Keyed loses the password in its address: its key Vault Password has one.',
        'The template Cloud is left out: Signalbox has no app terraform.',
        'The key Vault Password has no secret, because the file contains none.',
        expect.stringMatching(/^The inventory Space is left out: type /),
        'Project homelab was created with id 1; its owner is admin.',
      ].toSorted(),
    );
    const [keys, repositories, inventory, , views, templates, schedules, webhooks] = (await contents(
      admin,
      '/project/1',
    )) as object[][];
    expect(keys).toHaveLength(3);
    expect(await secretsOf(server, 1)).toContain('{"type":"login_password","login":"ci","password":"pa@ss"}');
    expect([repositories, inventory, views]).toMatchObject([
      [
        { name: 'Closed', git_url: 'https://git.example/x.git', ssh_key_id: 'Login of Closed' },
        { name: 'Demo', ssh_key_id: 'None' },
        { name: 'Keyed', git_url: 'https://git.example/y.git', ssh_key_id: 'Vault Password' },
      ],
      [{ name: 'Build' }],
      [{ title: 'Build' }],
    ]);
    expect(templates).toMatchObject([
      { name: 'Build', type: 'build', start_version: '1.0.0' },
      {
        name: 'Roll out',
        build_template_id: 'Build',
        vault_key_id: 'Vault Password',
        vaults: [{ name: 'prod', vault_key_id: 'Vault Password' }],
        view_id: 'Build',
        options: { limit: 'web,db', tags: ['base'], runner_tags: ['edge'] },
        prompts: { limit: 'any', tags: 'fixed', inventory_id: 'any', git_branch: 'any', verbosity: 'fixed' },
      },
    ]);
    expect(schedules).toMatchObject([{ template_id: 'Build', cron_format: '* * * * *', active: false }]);
    expect(webhooks).toMatchObject([
      {
        ...{ name: 'Release', template_id: 'Build', active: false, has_secret: false },
        ...{ sender_check: 'hmac', signature_header: 'X-Signature' },
        matchers: [
          { source: 'header', path: 'X-Event', method: 'equals', value: 'push' },
          { source: 'body', path: 'commits[0].id', method: 'not_equals', value: 'x' },
        ],
        extractors: [{ source: 'body', path: 'ref', target: 'branch', variable: '' }],
      },
      { name: 'Token', sender_check: 'bearer', matchers: [{ source: 'body', path: '$', method: 'contains' }] },
    ]);
    const [release] = (await admin.get('/project/1/webhooks')).json<{ id: number }[]>();
    const resumed = await admin.put(`/project/1/webhooks/${release?.id}`, { active: true });
    expect(resumed.json()).toMatchObject({ fields: { secret: expect.stringContaining('required') } });
    expect(templates).toMatchObject([{ lost_at_import: [] }, { lost_at_import: ['git_branch'] }]);
    await startsOnlyOnceSaved(server);
  });

  it('refuses a file that is not a project in one sentence', async () => {
    const location = await makeLocation();
    await makeEmptyState(location);
    const file = join(location.folder, 'x.json');
    const run = async (content: string) => {
      writeFileSync(file, content);
      return await signalbox(location, 'project', 'import', file).ended;
    };
    expect(await run('{')).toEqual({ code: 1, output: `${file} is not valid JSON.\n` });
    expect((await run('{"signalbox_project":1}')).output).toMatch(/is not a project file: version [^\n]*\.\n$/);
    expect((await run('[]')).output).toBe(`${file} is not a project file: it must be an object.\n`);
    expect((await run('{"meta":{"name":"x"},"keys":{}}')).output).toBe(
      `${file} is not a project file: keys must be of type array.\n`,
    );
    expect((await signalbox(location, 'project', 'export', 'Nothing').ended).output).toBe(
      'There is no project Nothing.\n',
    );
  });

  it('leaves out invalid names, and prints no control characters of names', async () => {
    const location = await makeLocation();
    await (await startTestServer(location)).stop();
    const names = ['good', 'a-b', '', 'zero\u0000', 'x'.repeat(256)];
    const file = join(location.folder, 'x.json');
    const content = {
      meta: { name: 'Shop' },
      keys: [{ name: 'a\u001b]0;title\u0007 b\nThe end.', type: 'none' }],
      environments: [{ name: 'Live', secrets: names.map((name) => ({ name })) }],
    };
    // As Windows editors write it.
    writeFileSync(file, `\uFEFF${JSON.stringify(content)}`);
    const { code, output } = await signalbox(location, 'project', 'import', file).ended;
    expect(output.replaceAll(/x{250,}/g, 'xx').split('\n')).toEqual([
      'The key a b The end. is left out: its name must be on one line, without control characters.',
      'The secret variable good of the environment Live is empty, because the file contains no value.',
      'The secret variable a-b of Live is left out: its name must be a variable name of letters, digits and underscores.',
      'The secret variable  of Live is left out: its name must be a variable name of letters, digits and underscores.',
      expect.stringContaining(
        'The secret variable zero of Live is left out: its name must not contain a NUL character',
      ),
      'The secret variable xx of Live is left out: its name must not be longer than 255 characters.',
      'Project Shop was created with id 1; its owner is admin.',
      '',
    ]);
    expect(code).toBe(0);
  });
});
