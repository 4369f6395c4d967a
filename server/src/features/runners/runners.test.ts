import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CreatedRunner, Runner } from '@signalbox/contract';
import { expect, it } from 'vitest';
import type { z } from 'zod';
import { LINK_PATH } from '../../dispatch/runner-hub.ts';
import { hashToken, newToken } from '../../secrets/token.ts';
import { describeOneDatabase, describeRemoteDatabase, type Place } from '../../testing/databases.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { ScriptedRunner } from '../../testing/scripted-runner.ts';
import { type Client, startTestServer, type TestServer } from '../../testing/test-server.ts';

type Created = z.infer<typeof CreatedRunner>;

const start = async (place: Place, settings: Record<string, string> = {}) => {
  const server = await startTestServer(place, settings);
  return { server, admin: await server.signIn() };
};

const add = async (admin: Client, name: string): Promise<Created> => {
  const answer = await admin.post('/runners', { name });
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<Created>();
};

const dial = async (server: TestServer, token: string): Promise<ScriptedRunner> => {
  const runner = new ScriptedRunner(`${server.baseUrl.replace(/^http/, 'ws')}${LINK_PATH}`, token);
  await runner.open();
  return runner;
};

const list = async (admin: Client): Promise<Runner[]> => (await admin.get('/runners')).json<Runner[]>();

/** A task that the runner has begun, as it tells. */
const begin = async (admin: Client, runner: ScriptedRunner) => {
  const sample = await sampleProject(admin);
  const answer = await admin.post(`${sample.base}/tasks`, { template_id: await sample.template() });
  const { order } = await runner.hears('order');
  const run = { task_id: order.task_id, epoch: order.epoch };
  runner.say({ type: 'accepted', ...run });
  await runner.hears('go');
  runner.say({ type: 'started', ...run });
  const path = `${sample.base}/tasks/${answer.json<{ id: number }>().id}`;
  await expect.poll(async () => (await admin.get(path)).json().status).toBe('running');
  return { run, path };
};

describeOneDatabase('runners', (makePlace) => {
  it('[S10] are let in by their token, which is shown once and stored hashed, and are listed while they last', async () => {
    const { server, admin } = await start(await makePlace());
    const { token, ...facts } = await add(admin, 'edge-1');
    expect(facts).toMatchObject({ name: 'edge-1', local: false, connected: false, slots: 0, tasks: 0, run_as: null });
    expect(await list(admin)).toEqual([facts]);
    const stored = await server.storage.database.read.selectFrom('runner').selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(token);
    expect((await admin.get('/info')).json()).toMatchObject({ runners: 0, separated: null });

    const runner = await dial(server, token);
    runner.hello([], { slots: 4, run_as: 'deploy' });
    await runner.hears('welcome');
    expect(await list(admin)).toEqual([
      {
        ...facts,
        connected: true,
        slots: 4,
        run_as: 'deploy',
        version: expect.any(String),
        ansible: '2.14.18',
        apps: [{ name: 'ansible', version: '2.14.18' }],
      },
    ]);
    expect((await admin.get('/info')).json()).toMatchObject({ runners: 1, separated: true });
    await begin(admin, runner);
    expect((await list(admin))[0]?.tasks).toBe(1);
    const plain = await dial(server, (await add(admin, 'edge-2')).token);
    plain.hello();
    await plain.hears('welcome');
    expect((await admin.get('/info')).json()).toMatchObject({ runners: 2, separated: false });
  });

  it('have names of their own, and none takes those of the runners of servers', async () => {
    const { admin } = await start(await makePlace());
    await add(admin, 'edge-1');
    for (const name of ['edge-1', 'local', 'local@web-2']) {
      const answer = await admin.post('/runners', { name });
      expect([answer.statusCode, answer.json().error]).toEqual([409, `There is a runner named ${name} already.`]);
    }
  });

  it('that belong to a server are removed only while they are away and have nothing to do', async () => {
    const { server, admin } = await start(await makePlace());
    const { database } = server.storage;
    const token = newToken();
    const row = { name: 'local@web-2', token_hash: hashToken(token), slots: 1, created: '2026-11-21T12:00:00.000Z' };
    await database.write((tx) => tx.insertInto('runner').values(row).execute());
    const [{ id, local }] = (await list(admin)) as [Runner];
    expect(local).toBe(true);
    const remove = async () => (await admin.del(`/runners/${id}`)).statusCode;
    const runner = await dial(server, token);
    runner.hello();
    await begin(admin, runner);
    expect(await remove()).toBe(409);
    const closed = runner.closed;
    runner.close();
    await closed;
    await expect.poll(async () => (await list(admin))[0]?.connected).toBe(false);
    expect(await remove()).toBe(409);
    await database.autocommit.updateTable('task').set({ status: 'error' }).execute();
    expect(await remove()).toBe(204);
    expect(await list(admin)).toEqual([]);
  });

  it('[S10] lose their link and their runs when they are removed, and are not let in again', async () => {
    const { server, admin } = await start(await makePlace());
    const { id, token } = await add(admin, 'edge-1');
    const runner = await dial(server, token);
    runner.hello();
    const { path } = await begin(admin, runner);
    const closed = runner.closed;
    expect((await admin.del(`/runners/${id}`)).statusCode).toBe(204);
    await closed;
    expect((await admin.get(path)).json().status).toBe('error');
    const text = (await admin.get(`${path}/raw_output`)).body;
    expect(text).toContain('The runner was removed');
    await expect(dial(server, token)).rejects.toThrow('401');
    expect(await list(admin)).toEqual([]);
    expect((await admin.del(`/runners/${id}`)).statusCode).toBe(404);
    const events = (await admin.get('/events')).json<{ description: string }[]>();
    expect(events.map(({ description }) => description)).toEqual(
      expect.arrayContaining(['Runner edge-1 added', 'Runner edge-1 removed']),
    );
  });
});

describeRemoteDatabase('a runner that is connected to another server', (makePlace) => {
  it('[S10] is cut off at its next heartbeat after it was removed', async () => {
    const place = await makePlace();
    const { server, admin } = await start(place);
    // Servers share a database and its key, each from a folder of its own.
    const settings = { SIGNALBOX_ENCRYPTION_KEY: readFileSync(join(place.folder, 'encryption.key'), 'utf8').trim() };
    const { folder } = await makePlace();
    const other = await start({ ...place, folder }, settings);
    const { id, token } = await add(admin, 'edge-1');
    const runner = await dial(server, token);
    runner.hello();
    await runner.hears('welcome');
    const closed = runner.closed;
    expect((await other.admin.del(`/runners/${id}`)).statusCode).toBe(204);
    runner.say({ type: 'heartbeat', runs: [] });
    await closed;
  });
});
