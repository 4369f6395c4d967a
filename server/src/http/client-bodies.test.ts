import { expect, it } from 'vitest';
import { describeEachDatabase } from '../testing/databases.ts';
import { sampleProject } from '../testing/sample-project.ts';
import { startTestServer } from '../testing/test-server.ts';

/** Ids that a client of a typed language sends for what has none yet. */
const NO_ID = { id: 0 };

describeEachDatabase('a body as existing clients send it', (makePlace) => {
  it('may hold null for everything that it need not hold', async () => {
    const admin = await (await startTestServer(await makePlace())).signIn();
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
          password: 'p',
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

  it('may hold null also in its parts, whether they are made with it or by a change', async () => {
    const admin = await (await startTestServer(await makePlace())).signIn();
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

  it('may hold the parts of every type of key, empty but for that of its own', async () => {
    const admin = await (await startTestServer(await makePlace())).signIn();
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
