import type { Event, Task } from '@signalbox/contract';
import { DAY_MS } from '@signalbox/contract/limits';
import { expect, it } from 'vitest';
import { describeEachDatabase } from '../../testing/database/databases.ts';
import { addMember } from '../../testing/sample-project.ts';
import { describeOneServer, startTestServer, type TestServer } from '../../testing/test-server.ts';
import { WEBHOOK_SECRET, webhookProject } from '../../testing/webhook-project.ts';
import { removeOldCalls } from './webhook-call.store.ts';

const PUBLISHED = { action: 'published', tag: 'v2.14.0' };

const setUp = async (server: TestServer, name = 'Hooks') => {
  const admin = await server.signIn();
  return { admin, ...(await webhookProject(server, admin, name)) };
};

describeEachDatabase('[S7] the calls of a webhook', (makeLocation) => {
  it('start one task for each delivery, also when copies arrive at the same time', async () => {
    const { answered, create, calls, tasks } = await setUp(await startTestServer(await makeLocation()));
    const { id, path } = await create();
    const delivery = { 'x-github-delivery': 'd-1', 'x-github-event': 'release' };
    const copies = await Promise.all(Array.from({ length: 4 }, () => answered(path, PUBLISHED, delivery)));
    expect(copies.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 202]);
    expect(new Set(copies.map(({ task_id }) => task_id)).size).toBe(1);
    // The signature does not cover the id.
    expect(await answered(path, PUBLISHED, { 'x-github-delivery': 'd-2' })).toMatchObject({
      status: 200,
      result: 'replayed',
      task_id: copies[0]?.task_id,
    });
    expect(await tasks()).toHaveLength(1);
    expect(await tasks()).toMatchObject([
      { webhook_id: id, webhook_name: 'Release published', user_id: null, environment: '{"release":"2.14.0"}' },
    ]);
    expect((await calls(id)).map(({ result, event }) => `${result} ${event}`)).toEqual([
      'replayed ',
      'replayed release',
      'replayed release',
      'replayed release',
      'started release',
    ]);
  });

  it('are stored without secrets, at most 100 of each webhook, and deleted with it', async () => {
    const server = await startTestServer(await makeLocation());
    const { admin, answered, base, create, calls } = await setUp(server);
    const { id, path } = await create();
    await answered(path, { ...PUBLISHED, echo: WEBHOOK_SECRET, nul: '\u0000' }, { authorization: 'Bearer abc' });
    const [call] = await calls(id);
    expect((await admin.get(`${base}/${id}`)).json()).toMatchObject({
      newest_call: { time: call?.time, result: 'started' },
    });
    expect((await admin.get(base)).json()).toMatchObject([{ id, newest_call: { result: 'started' } }]);
    const content = (await admin.get(`${base}/${id}/calls/${call?.id}`)).body;
    expect(content).toContain('v2.14.0');
    for (const secret of [WEBHOOK_SECRET, 'Bearer', 'x-hub-signature']) expect(content).not.toContain(secret);
    const { database } = server.storage;
    const row = await database.read.selectFrom('webhook_call').selectAll().executeTakeFirstOrThrow();
    const { id: _id, ...values } = row;
    await database.autocommit
      .insertInto('webhook_call')
      .values(Array.from({ length: 120 }, () => values))
      .execute();
    expect(await answered(path, { action: 'created' })).toMatchObject({ status: 200, result: 'no_match' });
    const kept = await calls(id);
    expect(kept).toHaveLength(100);
    expect(kept[0]).toMatchObject({ reason: { code: 'reason.webhook_value', params: { value: 'created' } } });
    await removeOldCalls(database, new Date(Date.parse(row.created) + 8 * DAY_MS));
    expect(await calls(id)).toHaveLength(100);
    expect(await database.read.selectFrom('webhook_delivery').select('id').execute()).toEqual([]);
    await removeOldCalls(database, new Date(Date.parse(row.created) + 15 * DAY_MS));
    expect(await calls(id)).toEqual([]);
    await answered(path, { ...PUBLISHED, n: 2 });
    expect((await admin.del(`${base}/${id}`)).statusCode).toBe(204);
    for (const table of ['webhook_call', 'webhook_delivery'] as const)
      expect(await database.read.selectFrom(table).select('id').execute()).toEqual([]);
    expect((await answered(path, PUBLISHED)).status).toBe(404);
  });
});

describeOneServer('[S7] a call of a webhook', (shared) => {
  it('gets the same answer for an unknown address and for a wrong signature', async () => {
    const { send, create, calls, tasks } = await setUp(shared(), 'Forged');
    const { id, path } = await create();
    const unknown = await send(`${path.slice(0, -1)}${path.endsWith('A') ? 'B' : 'A'}`, PUBLISHED);
    const forged = await send(path, PUBLISHED, { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` });
    expect([unknown.statusCode, forged.statusCode]).toEqual([404, 404]);
    expect(forged.body).toBe(unknown.body);
    expect(await tasks()).toEqual([]);
    expect(await calls(id)).toMatchObject([
      {
        ...{ result: 'refused', reason: { code: 'reason.webhook_signature' }, can_resend: false },
        description: 'The signature or secret does not match.',
      },
    ]);
  });

  it('needs no session and is given no rights by one, and may come from another site', async () => {
    const { admin, send, create, answered } = await setUp(shared(), 'Sites');
    const { path } = await create();
    const origin = { origin: 'https://hooks.example', 'sec-fetch-site': 'cross-site' };
    expect(await answered(path, PUBLISHED, { ...origin, cookie: admin.cookie })).toMatchObject({ status: 202 });
    const unsigned = { 'x-hub-signature-256': '', cookie: admin.cookie };
    expect((await send(path, { ...PUBLISHED, n: 2 }, unsigned)).statusCode).toBe(404);
  });

  it('is refused with 413 above 256 KiB, with 400 if it is no JSON, and with 429 above 60 a minute', async () => {
    const { send, create, answered, calls } = await setUp(shared(), 'Limits');
    const { id, path } = await create();
    expect((await send(path, `"${'x'.repeat(262_143)}"`)).statusCode).toBe(413);
    expect((await send(path, `"${'x'.repeat(262_142)}"`)).statusCode).toBe(200);
    expect(await answered(path, '{"action":')).toMatchObject({ status: 400, code: 'bad_json' });
    expect(await answered(path, '['.repeat(70) + ']'.repeat(70))).toMatchObject({ status: 400 });
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const payload = new URLSearchParams({ payload: JSON.stringify(PUBLISHED) }).toString();
    expect(await answered(path, payload, form)).toMatchObject({ status: 202 });
    expect((await calls(id)).map(({ result, can_resend }) => `${result} ${can_resend}`)).toEqual([
      'started true',
      'refused true',
      'no_match false',
    ]);
    let last = await answered(path, { action: 'created' });
    for (let n = 0; n < 70 && last.status === 200; n++) last = await answered(path, { action: 'created' });
    expect(last).toMatchObject({ status: 429, code: 'too_many.webhook_calls' });
    const { path: other } = await create({ name: 'Other' });
    expect(await answered(other, PUBLISHED)).toMatchObject({ status: 202 });
  });

  it('passes extracted values as data, which the launch checks like those of a user who may only run tasks', async () => {
    const { admin, sample, create, answered, tasks, calls } = await setUp(shared(), 'Hostile');
    const targets = ['limit', 'branch', 'commit', 'message'].map((target) => ({
      ...{ source: 'body', path: `$.${target}`, target },
    }));
    const count = { source: 'body', path: '$.count', target: 'answer', variable: 'count' };
    const release = { source: 'body', path: '$.tag', target: 'answer', variable: 'release' };
    const { id, path } = await create({ extractors: [...targets, count, release] });
    const template = "{{ lookup('pipe', 'id') }}";
    const hostile = { ...PUBLISHED, tag: template, message: '-x' };
    expect(await answered(path, hostile)).toMatchObject({ status: 202 });
    expect(await tasks()).toMatchObject([{ environment: JSON.stringify({ release: template }), message: '-x' }]);
    for (const [field, value] of [
      ['limit', '@/etc/passwd'],
      ['limit', '-x'],
      ['branch', '--upload-pack=x'],
      ['branch', 'other'],
      ['commit', 'HEAD'],
      ['count', '3; id'],
    ] as const) {
      const refused = await answered(path, { ...PUBLISHED, [field]: value });
      expect(refused.status, `${field} ${value}`).toBe(400);
      const named = { limit: 'limit', branch: 'git_branch', commit: 'commit_hash', count: 'environment.count' }[field];
      expect(Object.keys(refused.fields ?? {})).toEqual([named]);
    }
    expect((await answered(path, { ...PUBLISHED, commit: 'a'.repeat(40) })).status).toBe(403);
    expect(await tasks()).toHaveLength(1);
    expect((await calls(id))[0]).toMatchObject({ result: 'refused', reason: { code: 'not_permitted.commit' } });
    const [event] = (await admin.get(`${sample.base}/events/last`)).json<Event[]>();
    expect(event).toMatchObject({ kind: 'webhook.not_started', object_name: 'Release published' });
    // A refused delivery is handled again once the sender repeats it.
    expect(await answered(path, { ...PUBLISHED, limit: 'web' })).toMatchObject({ status: 202 });
    expect((await tasks())[0]).toMatchObject({ limit: 'web' } satisfies Partial<Task>);
  });

  it('starts nothing while the webhook is paused, and can be sent again by users who may run tasks', async () => {
    const server = shared();
    const { admin, sample, base, create, answered, calls, tasks } = await setUp(server, 'Paused');
    const { projectId } = sample;
    const runner = await addMember(server, 'webhook-runner', { projectId, role: 'task_runner' });
    const guest = await addMember(server, 'webhook-guest', { projectId, role: 'guest' });
    const { id, path } = await create({ active: false });
    expect(await answered(path, PUBLISHED)).toMatchObject({
      ...{ status: 200, result: 'paused', reason: 'The webhook is paused.' },
    });
    const [call] = await calls(id);
    const again = `${base}/${id}/calls/${call?.id}/send`;
    expect((await guest.post(again)).statusCode).toBe(403);
    for (let n = 0; n < 2; n++) expect((await runner.post(again)).json()).toMatchObject({ result: 'started' });
    expect((await tasks()).map(({ user_name, webhook_id }) => [user_name, webhook_id])).toEqual([
      ['webhook-runner', id],
      ['webhook-runner', id],
    ]);
    await answered(path, PUBLISHED, { 'x-hub-signature-256': 'sha256=0' });
    const [forged] = await calls(id);
    expect((await admin.post(`${base}/${id}/calls/${forged?.id}/send`)).statusCode).toBe(409);
  });

  it('no longer works at an old address', async () => {
    const { admin, base, create, answered } = await setUp(shared(), 'Renewed');
    const { id, path } = await create();
    const { address } = (await admin.post(`${base}/${id}/address`)).json<{ address: string }>();
    expect((await answered(path, PUBLISHED)).status).toBe(404);
    expect((await answered(new URL(address).pathname, PUBLISHED)).status).toBe(202);
  });
});
