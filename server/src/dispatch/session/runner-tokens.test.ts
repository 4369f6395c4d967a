import type { CreatedRunner, Runner } from '@signalbox/contract';
import type { ServerMessage } from '@signalbox/contract/link';
import { expect, it } from 'vitest';
import type { z } from 'zod';
import { hashToken } from '../../secrets/token.ts';
import { describeEachDatabase, describeOneDatabase, describeRemoteDatabase } from '../../testing/database/databases.ts';
import { ScriptedRunner } from '../../testing/runners/scripted-runner.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { type Client, startTestServer, type TestServer } from '../../testing/test-server.ts';
import { LINK_PATH } from './runner-hub.ts';

const LONG_AGO = '2026-01-01T00:00:00.000Z';
const REFUSED = 'Unexpected server response: 401';

const dial = async (server: TestServer, token: string): Promise<ScriptedRunner> => {
  const runner = new ScriptedRunner(`${server.baseUrl.replace(/^http/, 'ws')}${LINK_PATH}`, token);
  await runner.open();
  return runner;
};

/** A runner that can store new tokens. */
const join = async (server: TestServer, token: string): Promise<ScriptedRunner> => {
  const runner = await dial(server, token);
  runner.hello([], { replaces_token: true });
  await runner.receives('welcome');
  return runner;
};

const sendHeartbeat = (runner: ScriptedRunner): void => runner.send({ type: 'heartbeat', runs: [] });

const offered = async (runner: ScriptedRunner) => {
  sendHeartbeat(runner);
  return await runner.receives('new_token');
};

/** Replaces the token of a runner on its link. Returns the new token when the earlier one no longer works. */
const replaced = async (server: TestServer, runner: ScriptedRunner, token: string): Promise<string> => {
  const count = (): number => types(runner).filter((type) => type === 'new_token').length;
  const before = count();
  sendHeartbeat(runner);
  await expect.poll(count).toBe(before + 1);
  const next = runner.received.findLast((message) => message.type === 'new_token');
  if (!next) throw new Error('The runner has received no token.');
  runner.send({ type: 'token_stored', id: next.id });
  // A second link of a token that still works would take over the runner, so only the database is read.
  const isStored = () =>
    server.storage.database.read.selectFrom('runner').select('id').where('token_hash', '=', hashToken(next.token));
  await expect.poll(() => isStored().execute()).toHaveLength(1);
  await expect(dial(server, token)).rejects.toThrow(REFUSED);
  return next.token;
};

/** Creates a runner whose token is old. */
const addOld = async (server: TestServer, admin: Client): Promise<z.infer<typeof CreatedRunner>> => {
  const created = (await admin.post('/runners', { name: 'edge' })).json<z.infer<typeof CreatedRunner>>();
  await age(server);
  return created;
};

const age = ({ storage: { database } }: TestServer) =>
  database.autocommit.updateTable('runner').set({ token_changed: LONG_AGO }).execute();

const list = async (admin: Client): Promise<Runner[]> => (await admin.get('/runners')).json<Runner[]>();

const gone = async (runner: ScriptedRunner): Promise<void> => {
  runner.close();
  await runner.closed;
};

describeEachDatabase('[S10] the token of a runner', (makeLocation) => {
  it('is replaced once the runner has stored the new one, and no longer works then', async () => {
    const server = await startTestServer(await makeLocation());
    const admin = await server.signIn();
    const { token } = await addOld(server, admin);
    const runner = await join(server, token);
    const next = await offered(runner);
    const stored = JSON.stringify(await server.storage.database.read.selectFrom('runner').selectAll().execute());
    for (const secret of [token, next.token]) expect(stored).not.toContain(secret);
    expect((await list(admin))[0]?.duplicate_seen).toBeNull();

    runner.send({ type: 'token_stored', id: next.id });
    // The same link continues, and gets tasks.
    const sample = await sampleProject(admin);
    await admin.post(`${sample.base}/tasks`, { template_id: await sample.template() });
    await runner.receives('job');
    await gone(runner);
    await expect(dial(server, token)).rejects.toThrow(REFUSED);
    expect((await list(admin))[0]?.duplicate_seen).not.toBeNull();
    await answered(await join(server, next.token));
  });
});

describeOneDatabase('[S10] the replacement of a runner token', (makeLocation) => {
  it('begins again if the runner was killed before it stored the new token', async () => {
    const server = await startTestServer(await makeLocation());
    const { token } = await addOld(server, await server.signIn());
    const killed = await join(server, token);
    const lost = await offered(killed);
    await gone(killed);
    const runner = await join(server, token);
    const next = await offered(runner);
    expect(next.token).not.toBe(lost.token);
    runner.send({ type: 'token_stored', id: next.id });
    await expect.poll(() => dial(server, token).then(gone, ({ message }) => message)).toBe(REFUSED);
    await expect(dial(server, lost.token)).rejects.toThrow(REFUSED);
    await join(server, next.token);
  });

  it('ends with the next sign-in if the runner was killed after it stored the new token', async () => {
    const server = await startTestServer(await makeLocation());
    const { token } = await addOld(server, await server.signIn());
    const killed = await join(server, token);
    const next = await offered(killed);
    await gone(killed);
    await join(server, next.token);
    await expect(dial(server, token)).rejects.toThrow(REFUSED);
  });

  it.each(['current', 'new'] as const)(
    'survives a restart of the server before the runner uses its %s token',
    async (which) => {
      const location = await makeLocation();
      const before = await startTestServer(location);
      const { token } = await addOld(before, await before.signIn());
      const next = await offered(await join(before, token));
      await before.stop();
      const server = await startTestServer(location);
      if (which === 'new') {
        await join(server, next.token);
        await expect(dial(server, token)).rejects.toThrow(REFUSED);
        return;
      }
      const runner = await join(server, token);
      const second = await offered(runner);
      runner.send({ type: 'token_stored', id: second.id });
      await expect.poll(() => dial(server, token).then(gone, ({ message }) => message)).toBe(REFUSED);
      await join(server, second.token);
    },
  );

  it('does not interrupt a running task', async () => {
    const server = await startTestServer(await makeLocation());
    const admin = await server.signIn();
    const { token } = await addOld(server, admin);
    const runner = await join(server, token);
    const sample = await sampleProject(admin);
    const { id } = (await admin.post(`${sample.base}/tasks`, { template_id: await sample.template() })).json();
    const { job } = await runner.receives('job');
    const run = { task_id: job.task_id, epoch: job.epoch };
    runner.send({ type: 'accepted', ...run });
    await runner.receives('start');
    runner.send({ type: 'heartbeat', runs: [{ ...run, state: 'playing' }] });
    const next = await runner.receives('new_token');
    await gone(runner);
    const again = await dial(server, next.token);
    again.hello([{ ...run, state: 'playing' }], { replaces_token: true });
    await again.receives('resume');
    again.send({ type: 'ended', ...run, result: 'success', reason: 'finished', lines: 0 });
    await again.receives('acknowledged');
    expect((await admin.get(`${sample.base}/tasks/${id}`)).json().status).toBe('success');
  });

  it('is only for runners that announce it, whose token is old, and if the server replaces tokens', async () => {
    const location = await makeLocation();
    const server = await startTestServer(location);
    const admin = await server.signIn();
    const { token } = await addOld(server, admin);
    const plain = await dial(server, token);
    plain.hello();
    await plain.receives('welcome');
    await answered(plain);
    expect(types(plain)).not.toContain('new_token');
    await gone(plain);
    await server.storage.database.autocommit.updateTable('runner').set({ token_changed: null }).execute();
    const young = await join(server, token);
    await answered(young);
    expect(types(young)).not.toContain('new_token');
    await age(server);
    await server.stop();
    const off = await startTestServer(location, { SIGNALBOX_RUNNER_TOKEN_HOURS: '0' });
    const runner = await join(off, token);
    await answered(runner);
    expect(types(runner)).not.toContain('new_token');
  });

  it('happens at once if an administrator requests it, also if the server replaces no tokens by age', async () => {
    const server = await startTestServer(await makeLocation(), { SIGNALBOX_RUNNER_TOKEN_HOURS: '0' });
    const admin = await server.signIn();
    const { id, token } = (await admin.post('/runners', { name: 'edge' })).json<z.infer<typeof CreatedRunner>>();
    const runner = await join(server, token);
    expect((await admin.post(`/runners/${id}/rotate`)).statusCode).toBe(204);
    expect((await admin.post('/runners/999/rotate')).statusCode).toBe(404);
    const next = await offered(runner);
    runner.send({ type: 'token_stored', id: next.id });
    await expect.poll(() => dial(server, token).then(gone, ({ message }) => message)).toBe(REFUSED);
    const again = await join(server, next.token);
    await answered(again);
    expect(types(again)).not.toContain('new_token');
    const kinds = (await admin.get('/events')).json<{ kind: string }[]>().map(({ kind }) => kind);
    expect(kinds).toContain('runner.rotation_requested');
  });

  it('happens again on the same link, by age and at the request of an administrator', async () => {
    const server = await startTestServer(await makeLocation());
    const admin = await server.signIn();
    const { id, token } = await addOld(server, admin);
    const runner = await join(server, token);
    const first = await replaced(server, runner, token);
    await age(server);
    const second = await replaced(server, runner, first);
    expect((await admin.post(`/runners/${id}/rotate`)).statusCode).toBe(204);
    const third = await replaced(server, runner, second);
    expect(new Set([token, first, second, third]).size).toBe(4);
    await expect(join(server, third)).resolves.toBeDefined();
  });

  it('ends with the deletion of the runner: neither token works', async () => {
    const server = await startTestServer(await makeLocation());
    const admin = await server.signIn();
    const { id, token } = await addOld(server, admin);
    const runner = await join(server, token);
    const next = await offered(runner);
    expect((await admin.del(`/runners/${id}`)).statusCode).toBe(204);
    await runner.closed;
    for (const one of [token, next.token]) await expect(dial(server, one)).rejects.toThrow(REFUSED);
  });

  it('ignores a confirmation of a token that was not sent on the link', async () => {
    const server = await startTestServer(await makeLocation());
    const { token } = await addOld(server, await server.signIn());
    const runner = await join(server, token);
    const next = await offered(runner);
    runner.send({ type: 'token_stored', id: crypto.randomUUID() });
    await answered(runner);
    await gone(runner);
    await join(server, token);
    await expect(join(server, next.token)).resolves.toBeDefined();
  });
});

describeRemoteDatabase('[S10] a runner with a new token at another server', (makeLocation) => {
  it('keeps its runs: the server of its earlier link only closes this link', async () => {
    const location = await makeLocation();
    const [one, other] = [await startTestServer(location), await startTestServer(location)];
    const { token } = await addOld(one, await one.signIn());
    const earlier = await join(one, token);
    const next = await offered(earlier);
    const process = crypto.randomUUID();
    const runner = await dial(other, next.token);
    runner.hello([], { replaces_token: true, process });
    await runner.receives('welcome');
    sendHeartbeat(earlier);
    await earlier.closed;
    expect(types(earlier)).not.toContain('abandon');
    await answered(runner);
  });
});

/** Resolves when the server has handled everything that the runner has sent. */
const answered = async (runner: ScriptedRunner): Promise<void> => {
  sendHeartbeat(runner);
  const run = { task_id: 999_999, epoch: 1 };
  // Messages about state are handled in order. The server abandons a run that it does not know.
  runner.send({ type: 'started', ...run });
  await expect.poll(() => types(runner)).toContain('abandon');
};

const types = (runner: ScriptedRunner): ServerMessage['type'][] => runner.received.map(({ type }) => type);
