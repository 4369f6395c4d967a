import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { describeOneDatabase } from '../../testing/database/databases.ts';
import { addMember, sampleProject } from '../../testing/sample-project.ts';
import { ADMIN_PASSWORD, type Client, startTestServer, type TestServer } from '../../testing/test-server.ts';
import { makeApp } from '../edge/app.ts';
import { LongAnswers, USER_BYTES } from './long-answers.ts';

const MEBI = 1024 * 1024;
const INVENTORIES = 12;
const LOG_BYTES = 32 * MEBI;

/** A project with an inventory list of 24 MB and a task with a log of 32 MB: more than the buffers of a socket hold. */
const setUp = async (server: TestServer) => {
  const admin = await server.signIn();
  const sample = await sampleProject(admin);
  const { projectId: project_id, keyId: ssh_key_id } = sample;
  const inventory = 'x'.repeat(2 * MEBI);
  for (let n = 0; n < INVENTORIES; n++)
    await server.storage.database.autocommit
      .insertInto('inventory')
      .values({ project_id, name: `i${n}`, type: 'static', inventory, ssh_key_id })
      .execute();
  const launched = await admin.post(`${sample.base}/tasks`, { template_id: await sample.template() });
  const { id: taskId } = launched.json<{ id: number }>();
  const lines = Array.from({ length: 1024 }, () => [0, 'x'.repeat(4096)] as [number, string]);
  for (let first = 1; first < LOG_BYTES / 4096; first += lines.length)
    await server.storage.logs.appendOutput({ taskId, epoch: 1, first, lines, offset: first });
  return { admin, taskId, ...sample };
};

/** Starts to read an answer and pauses. */
const begin = async (server: TestServer, path: string, headers: Record<string, string>) => {
  const accepted = once(server.app.server, 'connection') as Promise<[Socket]>;
  const call = request(`${server.baseUrl}/api${path}`, { headers, agent: false });
  call.on('error', () => undefined).end();
  const [answer] = (await once(call, 'response')) as [IncomingMessage];
  answer.on('error', () => undefined);
  onTestFinished(() => void answer.destroy());
  await once(answer, 'readable');
  const [serverSide] = await accepted;
  return { answer, serverSide };
};

const readOn = async (answer: IncomingMessage): Promise<void> => {
  const closed = once(answer, 'close').catch(() => undefined);
  answer.resume();
  await closed;
};

describeOneDatabase('[S8] a long answer that is being read', (makeLocation) => {
  it('is cut off when its reader loses the session or the rights', async () => {
    const server = await startTestServer(await makeLocation());
    const { admin, base, projectId, taskId } = await setUp(server);
    const log = `${base}/tasks/${taskId}`;
    interface Loss {
      readonly path: string;
      readonly lose: (id: number, client: Client) => Promise<unknown>;
    }
    const losses: Loss[] = [
      { path: `${log}/raw_output`, lose: (id) => admin.del(`${base}/users/${id}`) },
      { path: `${log}/output`, lose: (_id, client) => client.post('/auth/logout') },
      {
        path: `${base}/inventory`,
        lose: (id) =>
          admin.post(`/users/${id}/password`, { password: 'another password', current_password: ADMIN_PASSWORD }),
      },
      {
        // As a second server would do it.
        path: `${log}/raw_output`,
        lose: (id) => server.storage.database.autocommit.deleteFrom('project_user').where('user_id', '=', id).execute(),
      },
    ];
    for (const [index, { path, lose }] of losses.entries()) {
      const client = await addMember(server, `reader${index}`, { projectId, role: 'manager' });
      const { id } = (await client.get('/user')).json<{ id: number }>();
      const { answer, serverSide } = await begin(server, path, { cookie: client.cookie });
      expect(answer.statusCode).toBe(200);
      const closed = once(serverSide, 'close');
      await lose(id, client);
      await closed;
      await readOn(answer);
      expect(answer.complete, path).toBe(false);
    }

    const reader = await addMember(server, 'program', { projectId, role: 'task_runner' });
    const made = await reader.post('/user/tokens', { name: 'reading', current_password: 'password of program' });
    const token = made.json<{ id: string; token: string }>();
    const { answer, serverSide } = await begin(server, `${log}/raw_output`, {
      authorization: `Bearer ${token.token}`,
    });
    const other = await begin(server, `${log}/raw_output`, { cookie: reader.cookie });
    const closed = once(serverSide, 'close');
    expect((await reader.del(`/user/tokens/${token.id}`)).statusCode).toBe(204);
    await closed;
    await readOn(answer);
    expect(answer.complete).toBe(false);
    // Another answer of the same user continues.
    await readOn(other.answer);
    expect(other.answer.complete).toBe(true);
  }, 60_000);
});

describeOneDatabase('[S12] long answers that are not read', (makeLocation) => {
  it('are limited per user, and no longer count after they end', async () => {
    const server = await startTestServer(await makeLocation());
    const { admin, base, projectId } = await setUp(server);
    const open: IncomingMessage[] = [];
    const list = () => begin(server, `${base}/inventory`, { cookie: admin.cookie });
    for (;;) {
      const { answer } = await list();
      open.push(answer);
      if (answer.statusCode !== 200) break;
      expect(open.length).toBeLessThan(10);
    }
    const [refused] = open.splice(-1);
    expect(open.length).toBeGreaterThan(1);
    expect(open.length * INVENTORIES * 2 * MEBI).toBeLessThan(USER_BYTES + INVENTORIES * 4 * MEBI);
    expect([refused?.statusCode, refused?.headers['retry-after']]).toEqual([429, '2']);
    expect(JSON.parse(await text(refused as IncomingMessage))).toMatchObject({ code: 'too_many.long_answers' });
    expect((await admin.get(`${base}/templates`)).statusCode).toBe(200);
    const ann = await addMember(server, 'ann', { projectId, role: 'manager' });
    expect((await ann.get(`${base}/inventory`)).statusCode).toBe(200);
    await readOn(open[0] as IncomingMessage);
    expect(open[0]?.complete).toBe(true);
    await expect.poll(async () => (await list()).answer.statusCode).toBe(200);
  }, 60_000);
});

describe('[S12] a reader', () => {
  it('is disconnected when it reads nothing of a long answer for a while', async () => {
    const longAnswers = new LongAnswers({ onError: () => undefined, stalledMs: 200 });
    const app = await makeApp({
      logLevel: 'silent',
      trustedProxies: [],
      pathPrefix: '',
      databaseErrors: { isUnavailable: () => false, isFull: () => false, isDangling: () => false },
    });
    app.get('/long', (call, reply) => {
      longAnswers.add({ request: call, reply, userId: 1, bytes: 0, recheck: () => Promise.resolve() });
      const parts = function* () {
        for (let n = 0; n < 32; n++) yield Buffer.alloc(MEBI);
      };
      return reply.send(Readable.from(parts(), { objectMode: false }));
    });
    const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 });
    onTestFinished(() => app.close());
    const accepted = once(app.server, 'connection') as Promise<[Socket]>;
    const call = request(`${baseUrl}/long`, { agent: false });
    call.on('error', () => undefined).end();
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    answer.on('error', () => undefined);
    const [serverSide] = await accepted;
    await once(serverSide, 'close');
    await readOn(answer);
    expect(answer.complete).toBe(false);
  });
});
