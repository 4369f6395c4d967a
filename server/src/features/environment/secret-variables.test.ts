import { expect, it } from 'vitest';
import { readJob } from '../../dispatch/claim/job.read-model.ts';
import { EVERY_ENVIRONMENT } from '../../execution-environments.ts';
import { HostNames } from '../../secrets/host-names.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { describeOneServer, type TestServer } from '../../testing/test-server.ts';

interface Answer {
  readonly id: number;
  readonly secrets: readonly { readonly id: number; readonly name: string; readonly type: string }[];
}

const setUp = async (server: TestServer) => {
  const admin = await server.signIn();
  const sample = await sampleProject(admin);
  const created = await admin.post(`${sample.base}/environment`, {
    name: 'Production',
    json: '{"plain":1}',
    secrets: [
      { name: 'api_key', type: 'var', secret: 'canary-var' },
      { name: 'TOKEN', type: 'env', secret: 'canary-env' },
    ],
  });
  const environment = created.json<Answer>();
  const path = `${sample.base}/environment/${environment.id}`;
  const template_id = await sample.template({ environment_id: environment.id });
  const task = (await admin.post(`${sample.base}/tasks`, { template_id })).json<{ id: number }>();
  const { database, master } = server.storage;
  const hostNames = new HostNames(Buffer.alloc(32));
  const opened = async () => {
    const job = await readJob(
      { db: database.read, master, hostNames, taskUrl: () => '', environments: EVERY_ENVIRONMENT },
      task.id,
    );
    return { ...job.secret_variables, ...job.secret_environment };
  };
  const change = (secrets: unknown) => admin.put(path, { secrets });
  const named = async () => (await admin.get(path)).json<Answer>().secrets;
  return { server, admin, created, environment, path, sample, opened, change, named };
};

describeOneServer('secret variables', (shared) => {
  it('[S3] are listed by name, stored encrypted, and decrypted for the run only', async () => {
    const { server, admin, created, sample, path, opened } = await setUp(shared());
    expect(created.json()).toMatchObject({
      secrets: [
        { id: expect.any(Number), name: 'api_key', type: 'var' },
        { id: expect.any(Number), name: 'TOKEN', type: 'env' },
      ],
    });
    const stored = await server.storage.database.read.selectFrom('environment_secret').selectAll().execute();
    const seen = [created.body, (await admin.get(path)).body, (await admin.get(`${sample.base}/environment`)).body];
    expect([JSON.stringify(stored), ...seen].join()).not.toContain('canary');
    expect(await opened()).toEqual({ api_key: 'canary-var', TOKEN: 'canary-env' });
  });

  it('[S4] cannot be decrypted in another row', async () => {
    const { server, environment, opened } = await setUp(shared());
    const { read, autocommit } = server.storage.database;
    const secrets = read.selectFrom('environment_secret').selectAll().where('environment_id', '=', environment.id);
    const [first, second] = await secrets.orderBy('id').execute();
    await autocommit
      .updateTable('environment_secret')
      .set({ secret: second?.secret ?? '' })
      .where('id', '=', first?.id ?? 0)
      .execute();
    await expect(opened()).rejects.toThrow();
  });

  it('stay unchanged when a change omits them', async () => {
    const { admin, path, opened } = await setUp(shared());
    for (const body of [{ name: 'Renamed' }, { secrets: [] }, { secrets: null }, { json: '{}' }]) {
      expect((await admin.put(path, body)).statusCode).toBe(204);
      expect(await opened()).toEqual({ api_key: 'canary-var', TOKEN: 'canary-env' });
    }
  });

  it('can be renamed with their value, replaced, created and deleted', async () => {
    const { change, named, opened, environment } = await setUp(shared());
    const [api, token] = environment.secrets.map(({ id }) => id);
    expect((await change([{ id: api, name: 'api_secret', operation: 'update' }])).statusCode).toBe(204);
    expect(await opened()).toEqual({ api_secret: 'canary-var', TOKEN: 'canary-env' });
    // A form sends back the answered values, with an empty value for an unchanged secret.
    expect((await change([{ id: token, name: 'TOKEN', type: 'env', secret: '' }])).statusCode).toBe(204);
    expect((await change([{ id: token, secret: 'canary-new' }])).statusCode).toBe(204);
    expect(await opened()).toEqual({ api_secret: 'canary-var', TOKEN: 'canary-new' });
    const all = [
      { name: 'api_secret', type: 'var', secret: 'canary-third', operation: 'create' },
      { id: api, operation: 'delete' },
      { id: token, type: 'var' },
    ];
    expect((await change(all)).statusCode).toBe(204);
    expect(await opened()).toEqual({ api_secret: 'canary-third', TOKEN: 'canary-new' });
    expect((await named()).map(({ name, type }) => `${type} ${name}`)).toEqual(['var TOKEN', 'var api_secret']);
  });

  it('can swap names, and names are unique', async () => {
    const { change, opened, environment } = await setUp(shared());
    const [api, token] = environment.secrets.map(({ id }) => id);
    expect((await change([{ id: token, type: 'var' }])).statusCode).toBe(204);
    const swap = [
      { id: api, name: 'TOKEN' },
      { id: token, name: 'api_key' },
    ];
    expect((await change(swap)).statusCode).toBe(204);
    expect(await opened()).toEqual({ TOKEN: 'canary-var', api_key: 'canary-env' });
    for (const twice of [[{ id: api, name: 'api_key' }], [{ name: 'TOKEN', type: 'var', secret: 'another' }]]) {
      const refused = await change(twice);
      expect(refused.statusCode).toBe(409);
      expect(refused.json().error).toBe('There are two secrets with the same name and type.');
    }
    expect(await opened()).toEqual({ TOKEN: 'canary-var', api_key: 'canary-env' });
  });

  it('are all unchanged when one operation is invalid', async () => {
    const { admin, sample, change, opened, environment } = await setUp(shared());
    const foreign = (
      await admin.post(`${sample.base}/environment`, {
        name: 'Other',
        secrets: [{ name: 'x', type: 'var', secret: 'y' }],
      })
    ).json<Answer>();
    const [api] = environment.secrets.map(({ id }) => id);
    for (const bad of [
      [{ id: foreign.secrets[0]?.id, name: 'mine_now' }],
      [{ id: 999_999, operation: 'delete' }],
      [{ operation: 'delete' }],
      [{ name: 'no_value', type: 'var' }],
      [{ name: 'no_type', secret: 'x' }],
      [{ name: 'a b', type: 'var', secret: 'x' }],
      [{ id: api, operation: 'burn' }],
      [
        { id: api, secret: 'changed' },
        { name: 'x', type: 'cookie', secret: 'x' },
      ],
      'none',
    ]) {
      expect((await change(bad)).statusCode, JSON.stringify(bad)).toBe(400);
    }
    expect((await change([{ name: 'api_key', type: 'var', secret: 'twin' }])).statusCode).toBe(409);
    expect(await opened()).toEqual({ api_key: 'canary-var', TOKEN: 'canary-env' });
  });

  it('are deleted with their environment', async () => {
    const { server, admin, sample } = await setUp(shared());
    const lone = (
      await admin.post(`${sample.base}/environment`, {
        name: 'Lone',
        secrets: [{ name: 'x', type: 'var', secret: 'y' }],
      })
    ).json<Answer>();
    expect((await admin.del(`${sample.base}/environment/${lone.id}`)).statusCode).toBe(204);
    const left = await server.storage.database.read.selectFrom('environment_secret').select('environment_id').execute();
    expect(left.map(({ environment_id }) => environment_id)).not.toContain(lone.id);
  });
});
