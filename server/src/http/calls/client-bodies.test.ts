import { expect, it } from 'vitest';
import { describeOneDatabase } from '../../testing/database/databases.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { describeOneServer, startTestServer } from '../../testing/test-server.ts';

/** Ids that clients of typed languages send for new objects. */
const NO_ID = { id: 0 };

describeOneServer('a body as existing clients send it', (server) => {
  it('may contain null for every optional field', async () => {
    const admin = await server().signIn();
    const { base, projectId, keyId, inventoryId, environmentId, repositoryId } = await sampleProject(admin);
    const inProject = { ...NO_ID, project_id: projectId };
    const template = { inventory_id: inventoryId, environment_id: environmentId, repository_id: repositoryId };
    const made: [path: string, body: object, answered: object][] = [
      [
        '/projects',
        { ...NO_ID, name: 'P', alert: null, alert_chat: null, demo: null },
        { alert: false, alert_chat: '' },
      ],
      [
        '/users',
        {
          name: 'Ann',
          username: 'ann',
          email: 'ann@example.com',
          password: 'a password',
          admin: null,
          alert: null,
          external: null,
        },
        { admin: false, external: false },
      ],
      [`${base}/views`, { ...inProject, id: -1, title: 'Web', position: null }, { position: 0 }],
      [
        `${base}/environment`,
        { ...inProject, name: 'E', json: null, env: null, secrets: null },
        { json: '{}', env: '{}', secrets: [] },
      ],
      [
        `${base}/repositories`,
        { ...inProject, name: 'R', git_url: '/srv/x', git_branch: null, ssh_key_id: keyId },
        { git_branch: '' },
      ],
      [
        `${base}/inventory`,
        { ...inProject, name: 'I', type: 'static', inventory: null, ssh_key_id: keyId, become_key_id: null },
        { inventory: '', become_key_id: null },
      ],
      [
        `${base}/templates`,
        { ...inProject, ...template, name: 'T', playbook: 'x.yml', type: null, arguments: null, survey_vars: null },
        { type: '', arguments: '[]', survey_vars: [] },
      ],
      ['/user/tokens', { name: null }, { name: 'API token' }],
    ];
    for (const [path, body, answered] of made) {
      const answer = await admin.post(path, body);
      expect(answer.statusCode, `${path}: ${answer.body}`).toBe(201);
      expect(answer.json(), path).toMatchObject(answered);
    }
    const templateId = (await admin.get(`${base}/templates`)).json<{ id: number }[]>()[0]?.id;
    const task = await admin.post(`${base}/tasks`, {
      ...inProject,
      template_id: templateId,
      environment: null,
      arguments: null,
      message: null,
      limit: null,
      dry_run: null,
    });
    expect(task.statusCode, task.body).toBe(201);
    expect(task.json()).toMatchObject({ environment: '{}', arguments: '[]', message: '', limit: '', dry_run: false });
    const schedule = await admin.post(`${base}/schedules`, {
      ...inProject,
      template_id: templateId,
      cron_format: '@daily',
      name: null,
      active: null,
    });
    expect(schedule.statusCode, schedule.body).toBe(201);
    expect(schedule.json()).toMatchObject({ name: '', active: true });
    const missing = await admin.post(`${base}/keys`, { name: null, type: null });
    expect(missing.json()).toMatchObject({ fields: { name: 'is required', type: expect.any(String) } });
  });

  it('may contain null in nested objects, both in new objects and in changes', async () => {
    const admin = await server().signIn();
    const { base, template } = await sampleProject(admin);
    const made = async (path: string, body: object, change: object) => {
      const answer = await admin.post(`${base}/${path}`, body);
      expect(answer.statusCode, answer.body).toBe(201);
      const url = `${base}/${path}/${answer.json<{ id: number }>().id}`;
      const changed = await admin.put(url, change);
      expect(changed.statusCode, changed.body).toBe(204);
      return (await admin.get(url)).json();
    };
    const login_password = { login: null, password: 'word' };
    const key = { name: 'K', type: 'login_password', login_password, ssh: { login: null, private_key: null } };
    await made('keys', key, { ...key, override_secret: true });
    const secret = { id: null, name: 's', type: 'var', secret: 'value', operation: null };
    const changed = { ...secret, name: 't' };
    expect(await made('environment', { name: 'E', secrets: [secret] }, { secrets: [changed] })).toMatchObject({
      secrets: [{ name: 's' }, { name: 't' }],
    });
    const survey_vars = [{ name: 'a', title: null, description: null, type: null, required: null }];
    const asked = { survey_vars: [{ name: 'a', title: '', description: '', type: '', required: false }] };
    const body = { ...(await admin.get(`${base}/templates/${await template()}`)).json(), name: 'T', survey_vars };
    expect(await made('templates', body, { survey_vars })).toMatchObject(asked);
    const refused = await admin.post(`${base}/templates`, { ...body, survey_vars: [{ name: null }] });
    expect(refused.json()).toMatchObject({ fields: { 'survey_vars.0.name': 'is required' } });
  });

  it('may contain empty fields of the other key types', async () => {
    const admin = await server().signIn();
    const { base, projectId } = await sampleProject(admin);
    const empty = { project_id: projectId, ssh: {}, login_password: {}, override_secret: null };
    for (const key of [
      { type: 'none' },
      { type: 'ssh', ssh: { login: '', passphrase: '', private_key: 'key' } },
      { type: 'ssh', ssh: { private_key: 'key' }, login_password: { login: '', password: '' } },
      { type: 'login_password', login_password: { password: 'word' } },
      { type: 'login_password', login_password: { password: 'word' }, ssh: null },
    ]) {
      const name = JSON.stringify(key);
      const made = await admin.post(`${base}/keys`, { ...empty, ...key, name });
      expect(made.statusCode, `${name}: ${made.body}`).toBe(201);
      const { id } = made.json<{ id: number }>();
      const changed = await admin.put(`${base}/keys/${id}`, { ...empty, ...key, id, name: `${name}!` });
      expect(changed.statusCode, `${name}: ${changed.body}`).toBe(204);
    }
    for (const [type, field] of [
      ['ssh', 'ssh.private_key'],
      ['login_password', 'login_password.password'],
    ] as const) {
      const refused = await admin.post(`${base}/keys`, { ...empty, type, name: type });
      expect(refused.statusCode, type).toBe(400);
      expect(refused.json()).toMatchObject({ fields: { [field]: 'is required' } });
    }
  });
});

describeOneDatabase('a client of Semaphore UI', (makeLocation) => {
  it('may send JSON without a content type if it sends an API token', async () => {
    const server = await startTestServer(await makeLocation());
    const admin = await server.signIn();
    const { token } = (await admin.post('/user/tokens', {})).json<{ token: string }>();
    const send = (headers: Record<string, string>) =>
      fetch(`${server.baseUrl}/api/projects`, {
        method: 'POST',
        headers,
        // The body is bytes, because fetch sets a content type for text.
        body: new TextEncoder().encode('{"name":"Made"}'),
      });
    expect((await send({ authorization: `Bearer ${token}` })).status).toBe(201);
    expect((await send({ authorization: `Bearer ${token}`, 'content-type': 'text/plain' })).status).toBe(400);
    expect((await send({ cookie: admin.cookie })).status).toBe(400);
    const list = await fetch(`${server.baseUrl}/api/projects`, { headers: { authorization: `Bearer ${token}` } });
    expect(list.status).toBe(200);
  });

  it('finds the fields that it expects in keys, errors and server information', async () => {
    const server = await startTestServer(await makeLocation(), { SIGNALBOX_TIMEZONE: 'Europe/Berlin' });
    const admin = await server.signIn();
    const { base, inventoryId, repositoryId, environmentId } = await sampleProject(admin);
    const login_password = { login: 'ana', password: 'a secret' };
    const key = await admin.post(`${base}/keys`, { name: 'K', type: 'login_password', login_password });
    const shown = {
      ssh: { login: '', private_key: '', passphrase: '' },
      login_password: { login: 'ana', password: '' },
      override_secret: false,
    };
    expect(key.json()).toMatchObject(shown);
    const { id } = key.json<{ id: number }>();
    const url = `${base}/keys/${id}`;
    expect((await admin.get(url)).json()).toMatchObject(shown);
    const stored = () =>
      server.storage.database.read.selectFrom('access_key').selectAll().where('id', '=', id).execute();
    const before = await stored();
    expect((await admin.put(url, { ...key.json<object>(), name: 'K' })).statusCode).toBe(204);
    expect(await stored()).toEqual(before);
    const input = { name: 'T', playbook: 'x.yml', inventory_id: inventoryId, repository_id: repositoryId };
    const survey_vars = [
      { name: 'a', type: 'String' },
      { name: 'b', type: 'Integer' },
    ];
    const template = await admin.post(`${base}/templates`, { ...input, survey_vars, view_id: 0, vault_key_id: 0 });
    expect(template.json(), template.body).toMatchObject({
      // An environment without variables exists already.
      environment_id: environmentId,
      view_id: null,
      vault_key_id: null,
      survey_vars: [{ type: '' }, { type: 'int' }],
    });
    const inUse = await admin.del(`${base}/environment/${environmentId}`);
    expect(inUse.json()).toMatchObject({ in_use: true, inUse: true });
    expect((await admin.get('/info')).json()).toMatchObject({ schedule_timezone: 'Europe/Berlin' });
  });

  it('can create templates without an environment, which share one without variables', async () => {
    const admin = await (await startTestServer(await makeLocation())).signIn();
    const { base, inventoryId, repositoryId, environmentId } = await sampleProject(admin);
    await admin.put(`${base}/environment/${environmentId}`, { json: '{"a":1}' });
    const input = { playbook: 'x.yml', inventory_id: inventoryId, repository_id: repositoryId };
    const make = async (name: string, more: object) =>
      (await admin.post(`${base}/templates`, { ...input, name, ...more })).json<{
        id: number;
        environment_id: number;
      }>();
    const made = await Promise.all([
      make('T1', {}),
      make('T2', { environment_id: null }),
      make('T3', { environment_id: 0 }),
    ]);
    const { id, environment_id } = made[0];
    expect(new Set(made.map((one) => one.environment_id))).toEqual(new Set([environment_id]));
    expect((await admin.get(`${base}/environment/${environment_id}`)).json()).toMatchObject({
      name: 'Empty 2',
      json: '{}',
    });
    await admin.put(`${base}/templates/${id}`, { environment_id: environmentId });
    expect((await admin.put(`${base}/templates/${id}`, { description: 'kept' })).statusCode).toBe(204);
    expect((await admin.get(`${base}/templates/${id}`)).json()).toMatchObject({ environment_id: environmentId });
    await admin.put(`${base}/templates/${id}`, { environment_id: null });
    expect((await admin.get(`${base}/templates/${id}`)).json()).toMatchObject({ environment_id });
  });
});

describeOneDatabase('the address of a repository', (makeLocation) => {
  it('must not contain a password; a stored one keeps working until it is changed', async () => {
    const server = await startTestServer(await makeLocation());
    const admin = await server.signIn();
    const { base, repositoryId, keyId } = await sampleProject(admin);
    const url = `${base}/repositories/${repositoryId}`;
    const body = { name: 'R', git_branch: 'main', ssh_key_id: keyId };
    for (const address of [
      'https://me:pw@git.example/x.git',
      'ssh://me:pw@git.example/x',
      'https://token:@git.example/x',
    ]) {
      const made = await admin.post(`${base}/repositories`, { ...body, git_url: address });
      const changed = await admin.put(url, { git_url: address });
      const tested = await admin.post(`${base}/repositories/test`, { git_url: address, ssh_key_id: keyId });
      for (const answer of [made, changed, tested]) {
        expect(answer.statusCode, answer.body).toBe(400);
        expect(answer.json<{ fields: { git_url: string } }>().fields.git_url).toContain(
          'as a key of type login_password',
        );
        expect(answer.body).not.toContain('pw');
      }
    }
    const old = { git_url: 'https://me:pw@git.example/x.git' };
    await server.storage.database.autocommit
      .updateTable('repository')
      .set(old)
      .where('id', '=', repositoryId)
      .execute();
    expect((await admin.put(url, { name: 'Renamed' })).statusCode).toBe(204);
    for (const address of ['https://me@git.example/x.git', 'ssh://git@git.example:22/x', 'git@git.example:x/y@z.git'])
      expect((await admin.put(url, { git_url: address })).statusCode, address).toBe(204);
  });

  it('may start with http:// only if a setting allows it', async () => {
    for (const [setting, status] of [
      ['0', 400],
      ['1', 204],
    ] as const) {
      const server = await startTestServer(await makeLocation(), { SIGNALBOX_HTTP_REPOSITORIES: setting });
      const admin = await server.signIn();
      const { base, repositoryId } = await sampleProject(admin);
      const answer = await admin.put(`${base}/repositories/${repositoryId}`, { git_url: 'http://git.example/x.git' });
      expect(answer.statusCode, answer.body).toBe(status);
    }
  });
});
