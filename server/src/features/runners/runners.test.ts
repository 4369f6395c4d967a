import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CreatedRunner, Runner } from '@signalbox/contract';
import { expect, it } from 'vitest';
import type { z } from 'zod';
import { LINK_PATH } from '../../dispatch/session/runner-hub.ts';
import { hashToken, newToken } from '../../secrets/token.ts';
import { describeOneDatabase, describeRemoteDatabase, type TestLocation } from '../../testing/database/databases.ts';
import { ScriptedRunner } from '../../testing/runners/scripted-runner.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { type Client, startTestServer, type TestServer } from '../../testing/test-server.ts';

type Created = z.infer<typeof CreatedRunner>;

const start = async (location: TestLocation, settings: Record<string, string> = {}) => {
  const server = await startTestServer(location, settings);
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

/** Lets a runner begin a task. */
const begin = async (admin: Client, runner: ScriptedRunner) => {
  const sample = await sampleProject(admin);
  const answer = await admin.post(`${sample.base}/tasks`, { template_id: await sample.template() });
  const { job } = await runner.receives('job');
  const run = { task_id: job.task_id, epoch: job.epoch };
  runner.send({ type: 'accepted', ...run });
  await runner.receives('start');
  runner.send({ type: 'started', ...run });
  const path = `${sample.base}/tasks/${answer.json<{ id: number }>().id}`;
  await expect.poll(async () => (await admin.get(path)).json().status).toBe('running');
  return { run, path };
};

describeOneDatabase('runners', (makeLocation) => {
  it('get the tasks for which they have the tags, also those that wait when the tags change', async () => {
    const { server, admin } = await start(await makeLocation(), { SIGNALBOX_RUNNER: 'off' });
    const sample = await sampleProject(admin);
    const made = await admin.post('/runners', { name: 'dmz', tags: ['linux', 'dmz', 'dmz'] });
    const [dmz, plain] = [made.json<Created>(), await add(admin, 'plain')];
    expect([dmz.tags, plain.tags]).toEqual([['dmz', 'linux'], []]);
    const [tagged, other] = [await dial(server, dmz.token), await dial(server, plain.token)];
    for (const runner of [tagged, other]) runner.hello();
    const template_id = await sample.template({ options: { runner_tags: ['dmz'] } });
    const launch = async () => (await admin.post(`${sample.base}/tasks`, { template_id })).json<{ id: number }>().id;
    const first = await launch();
    const { job } = await tagged.receives('job');
    expect(job.task_id).toBe(first);
    await admin.post(`${sample.base}/tasks/${first}/stop`, { force: false });

    expect((await admin.put(`/runners/${dmz.id}`, { tags: [] })).statusCode).toBe(204);
    const second = await launch();
    await admin.put(`/runners/${plain.id}`, { tags: ['gpu', 'dmz'] });
    expect((await other.receives('job')).job.task_id).toBe(second);
    expect((await list(admin)).map(({ name, tags }) => [name, tags])).toEqual([
      ['dmz', []],
      ['plain', ['dmz', 'gpu']],
    ]);
    const events = (await admin.get('/events')).json<{ kind: string; params: object }[]>();
    expect(events.filter(({ kind }) => kind === 'runner.changed').map(({ params }) => params)).toEqual([
      { name: 'plain', fields: 'tags' },
      { name: 'dmz', fields: 'tags' },
    ]);
    expect((await admin.put('/runners/999', { tags: [] })).statusCode).toBe(404);
    expect((await admin.put(`/runners/${dmz.id}`, { tags: ['a b'] })).json()).toMatchObject({
      fields: { 'tags.0': expect.any(String) },
    });
  });

  it('[S10] are admitted by a token that is shown once and stored as a hash, and are listed', async () => {
    const { server, admin } = await start(await makeLocation());
    const { token, ...input } = await add(admin, 'edge-1');
    expect(input).toMatchObject({ name: 'edge-1', local: false, ephemeral: false, connected: false });
    expect(input).toMatchObject({ slots: 0, tasks: 0, run_as: null });
    expect(await list(admin)).toEqual([input]);
    const stored = await server.storage.database.read.selectFrom('runner').selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(token);
    expect((await admin.get('/info')).json()).toMatchObject({ runners: 0, separated: null });

    const runner = await dial(server, token);
    runner.hello([], { slots: 4, run_as: 'deploy' });
    await runner.receives('welcome');
    expect(await list(admin)).toEqual([
      {
        ...input,
        last_contact: expect.any(String),
        connected: true,
        slots: 4,
        run_as: 'deploy',
        version: expect.any(String),
        ansible: '2.14.18',
        apps: [{ name: 'ansible', version: '2.14.18' }],
        environments: [{ kind: 'system', program: '', version: '' }],
      },
    ]);
    expect((await admin.get('/info')).json()).toMatchObject({ runners: 1, separated: true });
    await begin(admin, runner);
    expect((await list(admin))[0]?.tasks).toBe(1);
    const plain = await dial(server, (await add(admin, 'edge-2')).token);
    plain.hello();
    await plain.receives('welcome');
    expect((await admin.get('/info')).json()).toMatchObject({ runners: 2, separated: false });
  });

  it('have unique names, and none may use the names of local runners', async () => {
    const { admin } = await start(await makeLocation());
    await add(admin, 'edge-1');
    for (const name of ['edge-1', 'local', 'local@web-2']) {
      const answer = await admin.post('/runners', { name });
      expect([answer.statusCode, answer.json().error]).toEqual([409, `There is already a runner named ${name}.`]);
    }
  });

  it('can be deleted only while they are offline and idle if they belong to a server', async () => {
    const { server, admin } = await start(await makeLocation());
    const { database } = server.storage;
    const token = newToken();
    const row = { name: 'local@web-2', token_hash: hashToken(token), slots: 1, created: '2026-11-21T12:00:00.000Z' };
    await database.write((tx) => tx.insertInto('runner').values(row).execute());
    const [{ id, local }] = (await list(admin)) as [Runner];
    expect(local).toBe(true);
    const remove = async () => (await admin.del(`/runners/${id}`)).statusCode;
    const runner = await dial(server, token);
    runner.hello([], { apps: [{ name: 'ansible', version: '2.14.18' }] });
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

  it('[S10] lose their link and their runs when they are deleted, and are not admitted again', async () => {
    const { server, admin } = await start(await makeLocation());
    const { id, token } = await add(admin, 'edge-1');
    const runner = await dial(server, token);
    runner.hello();
    const { path } = await begin(admin, runner);
    const closed = runner.closed;
    expect((await admin.del(`/runners/${id}`)).statusCode).toBe(204);
    await closed;
    expect((await admin.get(path)).json().status).toBe('error');
    const text = (await admin.get(`${path}/raw_output`)).body;
    expect(text).toContain('The runner was deleted');
    await expect(dial(server, token)).rejects.toThrow('401');
    expect(await list(admin)).toEqual([]);
    expect((await admin.del(`/runners/${id}`)).statusCode).toBe(404);
    const events = (await admin.get('/events')).json<{ description: string }[]>();
    expect(events.map(({ description }) => description)).toEqual(
      expect.arrayContaining(['Runner edge-1 added', 'Runner edge-1 removed']),
    );
  });
});

describeRemoteDatabase('a runner that is connected to another server', (makeLocation) => {
  it('[S10] is disconnected at its next heartbeat after it was deleted', async () => {
    const location = await makeLocation();
    const { server, admin } = await start(location);
    // Servers share a database and its key, each with a folder of its own.
    const settings = { SIGNALBOX_ENCRYPTION_KEY: readFileSync(join(location.folder, 'encryption.key'), 'utf8').trim() };
    const { folder } = await makeLocation();
    const other = await start({ ...location, folder }, settings);
    const { id, token } = await add(admin, 'edge-1');
    const runner = await dial(server, token);
    runner.hello();
    await runner.receives('welcome');
    const closed = runner.closed;
    expect((await other.admin.del(`/runners/${id}`)).statusCode).toBe(204);
    runner.send({ type: 'heartbeat', runs: [] });
    await closed;
  });
});
