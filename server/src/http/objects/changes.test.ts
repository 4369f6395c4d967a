import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeOneDatabase, describeRemoteDatabase, type MakeLocation } from '../../testing/database/databases.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { type Client, startTestServer } from '../../testing/test-server.ts';

/** Servers of one database need one key. */
const KEY = { SIGNALBOX_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') };

const setUp = async (makeLocation: MakeLocation, settings: Record<string, string> = {}) => {
  const server = await startTestServer(await makeLocation(), settings);
  const admin = await server.signIn();
  const sample = await sampleProject(admin);
  const made = async (path: string, body: object): Promise<string> => {
    const answer = await admin.post(path, body);
    expect(answer.statusCode, answer.body).toBe(201);
    return `${path}/${answer.json<{ id: number }>().id}`;
  };
  const { base, keyId } = sample;
  const objects = {
    project: await made('/projects', { name: 'First', alert_chat: 'chat', max_parallel_tasks: 3 }).then((path) =>
      path.replace('projects', 'project'),
    ),
    view: await made(`${base}/views`, { title: 'First', position: 7 }),
    key: await made(`${base}/keys`, { name: 'First', type: 'none' }),
    repository: await made(`${base}/repositories`, {
      name: 'First',
      git_url: 'https://git.example/x.git',
      git_branch: 'main',
      ssh_key_id: keyId,
    }),
    inventory: await made(`${base}/inventory`, {
      name: 'First',
      type: 'static',
      inventory: 'web-01',
      ssh_key_id: keyId,
    }),
    environment: await made(`${base}/environment`, { name: 'First', json: '{"a":1}', env: '{"B":"c"}' }),
    template: `${base}/templates/${await sample.template({ name: 'First', description: 'Prints a greeting', arguments: '["-v"]' })}`,
  };
  return { server, admin, sample, objects: Object.entries(objects) };
};

const read = async (client: Client, path: string) => (await client.get(path)).json<Record<string, unknown>>();
const titleOf = (kind: string): 'name' | 'title' => (kind === 'view' ? 'title' : 'name');

/** Fields that null clears, with the resulting value. */
const CLEARED: Readonly<Record<string, Record<string, unknown>>> = {
  project: { alert_chat: '', max_parallel_tasks: 0 },
  environment: { json: '{}', env: '{}' },
  template: { description: '', arguments: '[]' },
  inventory: { inventory: '' },
};

describeOneDatabase('a change', (makeLocation) => {
  it('keeps omitted fields, clears null fields, and accepts a previous answer', async () => {
    const { admin, objects } = await setUp(makeLocation);
    for (const [kind, path] of objects) {
      const before = await read(admin, path);
      expect((await admin.put(path, { [titleOf(kind)]: 'Second' })).statusCode, kind).toBe(204);
      const renamed = { ...before, [titleOf(kind)]: 'Second' };
      expect(await read(admin, path), kind).toEqual(renamed);
      const back = await admin.put(path, renamed);
      expect(back.statusCode, `${kind}: ${back.body}`).toBe(204);
      expect(await read(admin, path), kind).toEqual(renamed);
      const cleared = CLEARED[kind] ?? {};
      const nulls = Object.fromEntries(Object.keys(cleared).map((name) => [name, null]));
      expect((await admin.put(path, nulls)).statusCode, kind).toBe(204);
      expect(await read(admin, path), kind).toEqual({ ...renamed, ...cleared });
    }
  });

  it('must satisfy every rule for a new object, and changes nothing if it does not', async () => {
    const { admin, sample, objects } = await setUp(makeLocation);
    const foreign = await sampleProject(admin, 'Foreign');
    for (const [kind, path] of objects) {
      const before = await read(admin, path);
      const title = titleOf(kind);
      for (const bad of [
        { [title]: '' },
        { [title]: null },
        { [title]: 7 },
        { [title]: 'a\u0000b' },
        { id: (before.id as number) + 1 },
        { id: String(before.id) },
        ...(kind === 'project' ? [{ max_parallel_tasks: -1 }] : [{ project_id: foreign.projectId }]),
        ...('ssh_key_id' in before ? [{ ssh_key_id: foreign.keyId }, { ssh_key_id: null }] : []),
        ...(kind === 'inventory' ? [{ become_key_id: foreign.keyId }, { become_key_id: sample.keyId }] : []),
        ...(kind === 'repository' ? [{ git_url: 'ftp://x' }, { git_branch: '' }] : []),
        ...(kind === 'environment' ? [{ json: '[]' }, { env: '{"a":[]}' }] : []),
        ...(kind === 'template'
          ? [
              { type: 'build' },
              { type: 'deploy' },
              { playbook: '../x.yml' },
              { inventory_id: foreign.inventoryId },
              { environment_id: foreign.environmentId },
              { repository_id: foreign.repositoryId },
              { view_id: 2_000_000_000 },
              { survey_vars: [{ name: 'a b' }] },
            ]
          : []),
      ]) {
        const answer = await admin.put(path, bad);
        expect(answer.statusCode, `${kind} with ${JSON.stringify(bad)}: ${answer.body}`).toBe(400);
        expect(answer.json().fields, answer.body).toBeTypeOf('object');
      }
      expect(await read(admin, path), kind).toEqual(before);
    }
  });

  it('cannot take the name of another object of its kind', async () => {
    const { admin, sample, objects } = await setUp(makeLocation);
    for (const [kind, path] of objects.filter(([one]) => one !== 'project')) {
      const list = path.slice(0, path.lastIndexOf('/'));
      const { id: _id, ...copy } = await read(admin, path);
      const twin = await admin.post(list, { ...copy, [titleOf(kind)]: 'Twin' });
      expect(twin.statusCode, `${kind}: ${twin.body}`).toBe(201);
      const answer = await admin.put(path, { [titleOf(kind)]: 'Twin' });
      expect(answer.statusCode, `${kind}: ${answer.body}`).toBe(409);
      const again = await admin.post(list, { ...copy, [titleOf(kind)]: 'Twin' });
      expect(again.statusCode, `${kind}: ${again.body}`).toBe(409);
      const corrected = await admin.post(list, { ...copy, [titleOf(kind)]: 'Third' });
      expect(corrected.statusCode, `${kind}: ${corrected.body}`).toBe(201);
    }
    expect((await admin.get(`${sample.base}/keys`)).statusCode).toBe(200);
  });

  it('[S11] records an event with the user and the change', async () => {
    const { admin, sample, objects } = await setUp(makeLocation);
    for (const [kind, path] of objects) {
      await admin.put(path, { [titleOf(kind)]: 'Second' });
      const events = kind === 'project' ? `${path}/events/last` : `${sample.base}/events/last`;
      const [newest] = (await admin.get(events)).json<Record<string, unknown>[]>();
      const noun = kind.slice(0, 1).toUpperCase() + kind.slice(1);
      expect(newest, kind).toMatchObject({
        description: `${noun} Second changed`,
        object_type: kind,
        object_name: 'Second',
        username: 'admin',
      });
      expect((await admin.del(path)).statusCode).toBe(204);
      const [last] = (await admin.get(kind === 'project' ? '/events/last' : events)).json<Record<string, unknown>[]>();
      expect(last?.description, kind).toBe(`${noun} Second deleted`);
      expect((await admin.get(path)).statusCode, kind).toBe(404);
      expect((await admin.del(path)).statusCode, kind).toBe(404);
    }
  });
});

describeOneDatabase('If-Match', (makeLocation) => {
  it('allows a change or deletion only while the caller has the current version', async () => {
    const { admin, objects } = await setUp(makeLocation);
    for (const [kind, path] of objects) {
      const etag = String((await admin.get(path)).headers.etag);
      const title = titleOf(kind);
      expect((await admin.put(path, { [title]: 'Second' }, { 'if-match': etag })).statusCode, kind).toBe(204);
      for (const stale of [etag, '"something else"', `W/${etag}`]) {
        const refused = await admin.put(path, { [title]: 'Third' }, { 'if-match': stale });
        expect(refused.statusCode, `${kind}: ${refused.body}`).toBe(409);
        expect((await admin.del(path, { 'if-match': stale })).statusCode, kind).toBe(409);
      }
      expect((await read(admin, path))[title], kind).toBe('Second');
      const fresh = String((await admin.get(path)).headers.etag);
      const answer = await admin.put(path, { [title]: 'Third' }, { 'if-match': `"x", ${fresh}` });
      expect(answer.statusCode, `${kind}: ${answer.body}`).toBe(204);
      expect((await admin.put(path, { [title]: 'Fourth' }, { 'if-match': '*' })).statusCode, kind).toBe(204);
      const last = String((await admin.get(path)).headers.etag);
      expect((await admin.del(path, { 'if-match': last })).statusCode, kind).toBe(204);
    }
  });

  it('stores each of 100 simultaneous changes completely or reports a conflict', async () => {
    const { admin, objects } = await setUp(makeLocation);
    for (const [kind, path] of objects) {
      const title = titleOf(kind);
      const etag = String((await admin.get(path)).headers.etag);
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, n) => admin.put(path, { [title]: `name ${n}` }, { 'if-match': etag })),
      );
      const stored = answers.flatMap(({ statusCode }, n) => (statusCode === 204 ? [n] : []));
      expect(stored, kind).toHaveLength(1);
      expect(
        answers.filter(({ statusCode }) => statusCode === 409),
        kind,
      ).toHaveLength(99);
      expect((await read(admin, path))[title], kind).toBe(`name ${stored[0]}`);
    }
  });

  it('loses none of 100 changes that are retried after a conflict', async () => {
    const { admin, objects } = await setUp(makeLocation);
    const [, path = ''] = objects.find(([kind]) => kind === 'environment') ?? [];
    await countToHundred([admin], path);
  });
});

/** Counts to a hundred with ten clients at a time. More clients would prove no more and take longer. */
const countToHundred = async (clients: readonly Client[], path: string): Promise<void> => {
  const addOne = async (client: Client): Promise<void> => {
    for (;;) {
      const answer = await client.get(path);
      const { count = 0 } = JSON.parse(answer.json<{ json: string }>().json) as { count?: number };
      const body = { json: JSON.stringify({ count: count + 1 }) };
      const { statusCode } = await client.put(path, body, { 'if-match': String(answer.headers.etag) });
      if (statusCode === 204) return;
      expect(statusCode).toBe(409);
    }
  };
  for (let round = 0; round < 10; round++)
    await Promise.all(Array.from({ length: 10 }, (_, n) => addOne(clients[n % clients.length] as Client)));
  for (const client of clients) expect((await read(client, path)).json).toBe('{"count":100}');
};

describeOneDatabase('the ETag of a template and of a schedule', (makeLocation) => {
  it('changes when users change the object, but not when it runs', async () => {
    const { server, admin, sample } = await setUp(makeLocation);
    const template_id = await sample.template();
    const made = await admin.post(`${sample.base}/schedules`, { template_id, cron_format: '@daily' });
    const paths = {
      template: `${sample.base}/templates/${template_id}`,
      schedule: `${sample.base}/schedules/${made.json<{ id: number }>().id}`,
    };
    const { autocommit: db } = server.storage.database;
    for (const [kind, path] of Object.entries(paths)) {
      const before = await admin.get(path);
      const etag = String(before.headers.etag);
      await admin.post(`${sample.base}/tasks`, { template_id });
      await db
        .updateTable('schedule')
        .set({
          last_fired: kind === 'template' ? null : '2026-11-23T10:00:00.000Z',
          next_due: '2027-01-01T00:00:00.000Z',
        })
        .execute();
      // A client with the current ETag still receives the fields that runs changed.
      const after = await admin.send({ method: 'GET', url: `/api${path}`, headers: { 'if-none-match': etag } });
      expect(after.statusCode, kind).toBe(200);
      expect(after.headers.etag, kind).toBe(etag);
      expect(after.json(), kind).not.toEqual(before.json());
      expect((await admin.put(path, { name: `New ${kind}` }, { 'if-match': etag })).statusCode, kind).toBe(204);
      expect((await admin.get(path)).headers.etag, kind).not.toBe(etag);
      expect((await admin.del(path, { 'if-match': etag })).statusCode, kind).toBe(409);
    }
  });
});

describeRemoteDatabase('If-Match on two servers', (makeLocation) => {
  it('lets one of 100 changes through, and loses none of 100 that are retried', async () => {
    const location = await makeLocation();
    const { admin, objects } = await setUp(() => Promise.resolve(location), KEY);
    const folder = join(location.folder, 'second');
    mkdirSync(folder);
    const second = await (await startTestServer({ ...location, folder }, KEY)).signIn();
    const clients = [admin, second];
    for (const [kind, path] of objects) {
      const title = titleOf(kind);
      const tags = await Promise.all(clients.map(async (client) => String((await client.get(path)).headers.etag)));
      expect(tags[0], kind).toBe(tags[1]);
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, n) =>
          (clients[n % 2] as Client).put(path, { [title]: `name ${n}` }, { 'if-match': String(tags[n % 2]) }),
        ),
      );
      const stored = answers.flatMap(({ statusCode }, n) => (statusCode === 204 ? [n] : []));
      expect(stored, kind).toHaveLength(1);
      const refused = answers.filter(({ statusCode }) => statusCode === 409);
      expect(refused, kind).toHaveLength(99);
      for (const client of clients) expect((await read(client, path))[title], kind).toBe(`name ${stored[0]}`);
    }
    const [, environment = ''] = objects.find(([kind]) => kind === 'environment') ?? [];
    await countToHundred(clients, environment);
  });
});

describeOneDatabase('an object in use', (makeLocation) => {
  it('cannot be deleted, and the error names its users', async () => {
    const { admin, sample } = await setUp(makeLocation);
    const { base } = sample;
    const password = (
      await admin.post(`${base}/keys`, {
        name: 'Sudo',
        type: 'login_password',
        login_password: { login: 'root', password: 'a password' },
      })
    ).json<{ id: number }>().id;
    await admin.post(`${base}/inventory`, {
      name: 'By root',
      type: 'static',
      ssh_key_id: sample.keyId,
      become_key_id: password,
    });
    const build = await sample.template({
      name: 'Build',
      type: 'build',
      start_version: '1',
      vault_key_id: password,
    });
    await sample.template({ name: 'Deploy', type: 'deploy', build_template_id: build });
    const none = { templates: [], inventories: [], repositories: [], schedules: [], used_by_hidden: false };
    const named = (...names: string[]) => names.map((name) => ({ id: expect.any(Number), name }));
    for (const [path, references] of [
      [`keys/${password}`, { ...none, templates: named('Build'), inventories: named('By root') }],
      [
        `keys/${sample.keyId}`,
        { ...none, inventories: named('Hosts', 'First', 'By root'), repositories: named('Playbooks', 'First') },
      ],
      [`inventory/${sample.inventoryId}`, { ...none, templates: named('First', 'Build', 'Deploy') }],
      [`repositories/${sample.repositoryId}`, { ...none, templates: named('First', 'Build', 'Deploy') }],
      [`environment/${sample.environmentId}`, { ...none, templates: named('First', 'Build', 'Deploy') }],
      [`templates/${build}`, { ...none, templates: named('Deploy') }],
    ] as const) {
      expect((await admin.get(`${base}/${path}/refs`)).json(), path).toEqual(references);
      const refused = await admin.del(`${base}/${path}`);
      expect(refused.statusCode, `${path}: ${refused.body}`).toBe(409);
      expect(refused.json(), path).toMatchObject({
        in_use: true,
        code: expect.stringMatching(/^in_use\./),
        error: expect.any(String),
      });
      expect((await admin.get(`${base}/${path}`)).statusCode, path).toBe(200);
    }
    // Existing uses of the object must stay possible.
    expect((await admin.put(`${base}/keys/${password}`, { type: 'none', override_secret: true })).statusCode).toBe(409);
    expect((await admin.put(`${base}/templates/${build}`, { type: '' })).statusCode).toBe(400);
    expect((await admin.get(`${base}/keys/2000000000/refs`)).statusCode).toBe(404);
  });

  it('can be deleted after its users were deleted', async () => {
    const { admin, sample } = await setUp(makeLocation);
    const templates = (await admin.get(`${sample.base}/templates`)).json<{ id: number }[]>();
    for (const { id } of templates) expect((await admin.del(`${sample.base}/templates/${id}`)).statusCode).toBe(204);
    expect((await admin.del(`${sample.base}/inventory/${sample.inventoryId}`)).statusCode).toBe(204);
    expect((await admin.del(`${sample.base}/environment/${sample.environmentId}`)).statusCode).toBe(204);
  });

  it('does not include a view: its templates remain without it', async () => {
    const { admin, sample } = await setUp(makeLocation);
    const view = (await admin.post(`${sample.base}/views`, { title: 'Soon gone' })).json<{ id: number }>().id;
    const template = await sample.template({ view_id: view });
    expect((await admin.del(`${sample.base}/views/${view}`)).statusCode).toBe(204);
    expect((await read(admin, `${sample.base}/templates/${template}`)).view_id).toBeNull();
  });
});
