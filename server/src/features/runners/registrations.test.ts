import type { CreatedRunnerRegistration, RegisteredRunner, Runner, RunnerRegistration } from '@signalbox/contract';
import { DAY_MS } from '@signalbox/contract/limits';
import { expect, it } from 'vitest';
import type { z } from 'zod';
import { hashToken } from '../../secrets/token.ts';
import { describeEachDatabase, describeOneDatabase, describeRemoteDatabase } from '../../testing/database/databases.ts';
import { type Client, startTestServer } from '../../testing/test-server.ts';
import { insertRegistration, useRegistration } from './registration.store.ts';

type Created = z.infer<typeof CreatedRunnerRegistration>;
type Registered = z.infer<typeof RegisteredRunner>;

const create = async (admin: Client, body: object = {}): Promise<Created> => {
  const answer = await admin.post('/runners/registrations', { name: 'DMZ', ...body });
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<Created>();
};

const register = (client: Client, token: string, body: object = {}) =>
  client.post('/runners/register', { token, ...body });

const list = async (admin: Client): Promise<RunnerRegistration[]> =>
  (await admin.get('/runners/registrations')).json<RunnerRegistration[]>();

const events = async (admin: Client) =>
  (await admin.get('/events')).json<{ kind: string; params: object; user_id: number | null }[]>();

describeEachDatabase('registration of runners', (makeLocation) => {
  it('[S10] gives a runner the tags of the token, and shows and stores both tokens once', async () => {
    const server = await startTestServer(await makeLocation());
    const admin = await server.signIn();
    const { token, ...created } = await create(admin, { tags: ['linux', 'dmz'], uses: 2 });
    expect(token).toMatch(/^sbreg_[\w-]{43}$/);
    expect(created).toMatchObject({ name: 'DMZ', tags: ['dmz', 'linux'], uses: 2, uses_left: 2, expired: false });
    expect(created.created_by).not.toBe('');
    expect(await list(admin)).toEqual([created]);

    const answer = await register(server.anonymous, token, {
      ...{ host_name: 'edge', description: ' Rack 7 ', tags: ['gpu'], paused: false },
    });
    expect(answer.statusCode, answer.body).toBe(201);
    const runner = answer.json<Registered>();
    expect(runner).toEqual({ id: expect.any(Number), name: 'edge', tags: ['dmz', 'linux'], token: expect.any(String) });
    expect((await list(admin))[0]?.uses_left).toBe(1);
    expect((await admin.get('/runners')).json<Runner[]>()).toMatchObject([
      { name: 'edge', tags: ['dmz', 'linux'], description: 'Rack 7' },
    ]);

    const { read } = server.storage.database;
    const stored = [
      await read.selectFrom('runner').selectAll().execute(),
      await read.selectFrom('runner_registration').selectAll().execute(),
    ];
    for (const secret of [token, runner.token]) expect(JSON.stringify(stored)).not.toContain(secret);
    expect(stored[0]).toMatchObject([{ token_hash: hashToken(runner.token) }]);
    expect(JSON.stringify(await events(admin))).not.toContain(token);
    expect((await events(admin)).filter(({ kind }) => kind.startsWith('runner.'))).toMatchObject([
      { kind: 'runner.registered', params: { name: 'edge', registration: 'DMZ' }, user_id: null },
      { kind: 'runner.registration_created', params: { name: 'DMZ', uses: 2 } },
    ]);
  });

  it('counts uses so that of two simultaneous runners only one gets the last use', async () => {
    const server = await startTestServer(await makeLocation());
    const admin = await server.signIn();
    const { token } = await create(admin);
    const answers = await Promise.all([1, 2, 3].map(() => register(server.anonymous, token, { host_name: 'edge' })));
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 401, 401]);
    expect((await list(admin))[0]?.uses_left).toBe(0);
    expect((await admin.get('/runners')).json<Runner[]>()).toHaveLength(1);
  });

  it('ends with the time of the token, which is deleted 30 days later', async () => {
    const server = await startTestServer(await makeLocation());
    const { database } = server.storage;
    const at = (days: number) => new Date(Date.parse('2026-11-21T12:00:00Z') + days * DAY_MS);
    const input = { name: 'a', tags: [], uses: 5, expires: at(1), createdBy: 1 };
    const { token } = await database.write((tx) => insertRegistration(tx, input, at(0)));
    const use = (days: number) => database.write((tx) => useRegistration(tx, token, at(days)));
    expect(await use(0.99)).toMatchObject({ name: 'a' });
    expect(await use(1)).toBeUndefined();
    const later = { ...input, name: 'b', expires: at(40) };
    await database.write((tx) => insertRegistration(tx, later, at(30)));
    const names = async () => (await list(await server.signIn())).map(({ name }) => name);
    expect(await names()).toEqual(['b', 'a']);
    await database.write((tx) => insertRegistration(tx, { ...later, name: 'c' }, at(32)));
    expect(await names()).toEqual(['c', 'b']);
  });
});

describeEachDatabase('the registration token of an admin', (makeLocation) => {
  const EVE = { name: 'Eve', username: 'eve', email: 'eve@example.com', password: 'a long password 1', admin: true };

  const setUp = async () => {
    const server = await startTestServer(await makeLocation());
    const admin = await server.signIn();
    const { id } = (await admin.post('/users', EVE)).json<{ id: number }>();
    const { token } = await create(await server.signIn(EVE.username, EVE.password), { uses: 1000 });
    const status = async () => (await register(server.anonymous, token)).statusCode;
    return { admin, id, status };
  };

  it('is refused while its creator is no admin, keeps its uses, and works again with the role', async () => {
    const { admin, id, status } = await setUp();
    expect(await status()).toBe(201);
    await admin.put(`/users/${id}`, { admin: false });
    expect(await status()).toBe(401);
    expect(await list(admin)).toMatchObject([{ created_by: 'Eve', creator_is_admin: false, uses_left: 999 }]);
    await admin.put(`/users/${id}`, { admin: true });
    expect(await status()).toBe(201);
    expect(await list(admin)).toMatchObject([{ creator_is_admin: true, uses_left: 998 }]);
  });

  it('is refused after its creator was deleted', async () => {
    const { admin, id, status } = await setUp();
    expect((await admin.del(`/users/${id}`)).statusCode).toBe(204);
    expect(await status()).toBe(401);
    expect(await list(admin)).toMatchObject([{ created_by: '', creator_is_admin: false, uses_left: 1000 }]);
  });
});

describeRemoteDatabase('registration of runners on two servers', (makeLocation) => {
  it('gives the last use to one of two runners', async () => {
    const location = await makeLocation();
    const [one, other] = [await startTestServer(location), await startTestServer(location)];
    const { token } = await create(await one.signIn(), { uses: 1 });
    const answers = await Promise.all([one, other].map((server) => register(server.anonymous, token)));
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 401]);
  });
});

describeOneDatabase('a registration token', (makeLocation) => {
  it('that is wrong, used up or revoked gets the same answer, which is recorded', async () => {
    const server = await startTestServer(await makeLocation());
    const admin = await server.signIn();
    const [used, revoked] = [await create(admin), await create(admin, { name: 'old' })];
    await register(server.anonymous, used.token);
    expect((await admin.del(`/runners/registrations/${revoked.id}`)).statusCode).toBe(204);
    expect((await admin.del(`/runners/registrations/${revoked.id}`)).statusCode).toBe(404);
    const apiToken = (await admin.post('/user/tokens', { name: 't' })).json<{ id: string }>().id;
    const answers = [];
    for (const token of ['sbreg_wrong', used.token, revoked.token, apiToken])
      answers.push(await register(admin, token, { name: 'edge' }));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 401, 401, 401]);
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    expect(answers[0]?.json()).toMatchObject({ code: 'not_signed_in.registration' });
    const kinds = (await events(admin)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'runner.registration_refused')).toHaveLength(4);
    expect(kinds).toContain('runner.registration_revoked');
  });

  it('gives no permission by a session, an API token or a header, and no access to other calls', async () => {
    const server = await startTestServer(await makeLocation());
    const admin = await server.signIn();
    const { token } = await create(admin);
    const authorization = `Bearer ${token}`;
    const get = (url: string) => server.anonymous.send({ method: 'GET', url, headers: { authorization } });
    expect((await get('/api/runners')).statusCode).toBe(401);
    const post = await admin.send({
      ...{ method: 'POST', url: '/api/runners/register', headers: { authorization } },
      payload: { host_name: 'edge' },
    });
    expect(post.statusCode).toBe(400);
  });

  it('is blocked after five wrong attempts, while others of its network can register and sign in', async () => {
    const server = await startTestServer(await makeLocation());
    const { token } = await create(await server.signIn());
    const statuses = [];
    for (let i = 0; i < 6; i += 1) statuses.push((await register(server.anonymous, 'sbreg_wrong')).statusCode);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    expect((await register(server.anonymous, token)).statusCode).toBe(201);
    const wrong = Array.from({ length: 26 }, (_, i) => `sbreg_wrong-${i}`);
    for (const one of wrong) await register(server.anonymous, one);
    const refused = await register(server.anonymous, 'sbreg_another');
    expect([refused.statusCode, refused.json().code]).toEqual([429, 'too_many.registrations']);
    await server.signIn();
  });

  it('keeps its use when the name is taken or reserved, and adds a number to names of machines', async () => {
    const server = await startTestServer(await makeLocation());
    const admin = await server.signIn();
    const { token } = await create(admin, { uses: 4 });
    const named = async (body: object) => {
      const answer = await register(server.anonymous, token, body);
      return answer.statusCode === 201 ? answer.json<Registered>().name : answer.json().code;
    };
    expect(await named({ name: 'edge' })).toBe('edge');
    for (const name of ['edge', 'local', 'local@web-2'])
      expect(await named({ name })).toBe('conflict.runner_name_taken');
    expect(await named({ host_name: 'edge' })).toBe('edge-2');
    expect(await named({ host_name: 'local' })).toBe('runner');
    expect(await named({})).toBe('runner-2');
    expect(await named({ host_name: 'edge' })).toBe('not_signed_in.registration');
  });

  it('is refused with wrong fields', async () => {
    const server = await startTestServer(await makeLocation());
    const admin = await server.signIn();
    const bad = { name: '', uses: 1001, valid_seconds: 59, tags: ['a b'] };
    const answer = await admin.post('/runners/registrations', bad);
    expect(answer.statusCode).toBe(400);
    expect(Object.keys(answer.json<{ fields: object }>().fields)).toEqual(
      expect.arrayContaining(['name', 'uses', 'valid_seconds', 'tags.0']),
    );
  });
});
