import type { RegisteredRunner, Runner } from '@signalbox/contract';
import { expect, it } from 'vitest';
import type { z } from 'zod';
import { describeEachDatabase, type TestLocation } from '../../testing/database/databases.ts';
import { ScriptedRunner } from '../../testing/runners/scripted-runner.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { LINK_PATH } from '../session/runner-hub.ts';
import { removeEndedRunner, sweepEphemeralRunners } from './ephemeral-runners.ts';

const HOUR_MS = 60 * 60_000;

const setUp = async (location: TestLocation) => {
  const server = await startTestServer(location);
  const admin = await server.signIn();
  const created = await admin.post('/runners/registrations', { name: 'scaler', uses: 10 });
  const { token } = created.json<{ token: string }>();
  const register = async (ephemeral: boolean) => {
    const answer = await server.anonymous.post('/runners/register', { token, host_name: 'node', ephemeral });
    return answer.json<z.infer<typeof RegisteredRunner>>();
  };
  const dial = async (own: string): Promise<ScriptedRunner> => {
    const runner = new ScriptedRunner(`${server.baseUrl.replace(/^http/, 'ws')}${LINK_PATH}`, own);
    await runner.open();
    return runner;
  };
  const join = async (own: string): Promise<ScriptedRunner> => {
    const runner = await dial(own);
    runner.hello([], { slots: 1 });
    await runner.receives('welcome');
    return runner;
  };
  const names = async () => (await admin.get('/runners')).json<Runner[]>().map(({ name }) => name);
  const kinds = async () => (await admin.get('/runners')).json<Runner[]>().map(({ ephemeral }) => ephemeral);
  return { admin, kinds, register, dial, join, names, database: server.storage.database };
};

describeEachDatabase('an ephemeral runner', (makeLocation) => {
  it('is listed as ephemeral, unlike other runners', async () => {
    const { kinds, register } = await setUp(await makeLocation());
    await register(true);
    await register(false);
    expect((await kinds()).toSorted()).toEqual([false, true]);
  });

  it('is deleted when it has ended after its task, which keeps its name', async () => {
    const { admin, register, join, dial, names, database } = await setUp(await makeLocation());
    const [{ token }, lasting] = [await register(true), await register(false)];
    const runner = await join(token);
    const sample = await sampleProject(admin);
    const { id } = (await admin.post(`${sample.base}/tasks`, { template_id: await sample.template() })).json();
    const { job } = await runner.receives('job');
    const run = { task_id: job.task_id, epoch: job.epoch };
    runner.send({ type: 'accepted', ...run });
    runner.send({ type: 'heartbeat', runs: [{ ...run, state: 'accepted' }], draining: true });
    await runner.receives('start');
    // A lost link is not an end while the runner has its task.
    runner.close();
    await runner.closed;
    const again = await dial(token);
    again.hello([{ ...run, state: 'playing' }], { slots: 1, draining: true });
    await again.receives('resume');
    again.send({ type: 'ended', ...run, result: 'success', reason: 'finished', lines: 0 });
    await again.receives('acknowledged');
    again.end();
    await expect.poll(names).toEqual([lasting.name]);
    await expect(dial(token)).rejects.toThrow('401');
    expect((await admin.get(`${sample.base}/tasks/${id}`)).json()).toMatchObject({
      status: 'success',
      runner_name: 'node',
    });
    const events = (await admin.get('/events')).json<{ kind: string; params: object }[]>();
    expect(events.filter(({ kind }) => kind === 'runner.ephemeral_removed')).toMatchObject([
      { params: { name: 'node' } },
    ]);

    await removeEndedRunner(database, lasting.id, true, new Date());
    expect(await names()).toEqual([lasting.name]);
  });

  it('can connect again for a minute if its link is lost when its task is acknowledged', async () => {
    const { admin, register, join, dial, names, database } = await setUp(await makeLocation());
    const { id: runnerId, token } = await register(true);
    const runner = await join(token);
    const sample = await sampleProject(admin);
    await admin.post(`${sample.base}/tasks`, { template_id: await sample.template() });
    const { job } = await runner.receives('job');
    const run = { task_id: job.task_id, epoch: job.epoch };
    runner.send({ type: 'accepted', ...run });
    await runner.receives('start');
    runner.send({ type: 'heartbeat', runs: [{ ...run, state: 'playing' }], draining: true });
    runner.send({ type: 'ended', ...run, result: 'success', reason: 'finished', lines: 0 });
    await runner.receives('acknowledged');
    const secondsLeft = async () => {
      const query = database.read.selectFrom('runner').select('expires').where('id', '=', runnerId);
      return (Date.parse((await query.executeTakeFirstOrThrow()).expires ?? '') - Date.now()) / 1000;
    };
    runner.close();
    await expect.poll(secondsLeft).toBeLessThanOrEqual(60);

    const again = await dial(token);
    again.hello([{ ...run, state: 'ended' }], { slots: 1, draining: true });
    await again.receives('acknowledged');
    expect(await secondsLeft()).toBeGreaterThan(3600);
    again.close();
    await expect.poll(secondsLeft).toBeLessThanOrEqual(60);
    const sweep = (seconds: number) => sweepEphemeralRunners(database, [], new Date(Date.now() + seconds * 1000));
    await sweep(50);
    expect(await names()).toEqual(['node']);
    await sweep(61);
    expect(await names()).toEqual([]);
  });

  it('is deleted after a day without contact, but not while it is linked or has tasks', async () => {
    const { register, join, names, database } = await setUp(await makeLocation());
    const never = await register(true);
    const lasting = await register(false);
    const linked = await register(true);
    const runner = await join(linked.token);
    const now = Date.now();
    const sweep = (hours: number) => sweepEphemeralRunners(database, [linked.id], new Date(now + hours * HOUR_MS));
    await sweep(23);
    expect((await names()).toSorted()).toEqual([never.name, lasting.name, linked.name].toSorted());
    await sweep(25);
    expect((await names()).toSorted()).toEqual([lasting.name, linked.name].toSorted());
    runner.close();
    await runner.closed;
    const left = (hours: number) => sweepEphemeralRunners(database, [], new Date(now + hours * HOUR_MS));
    await left(46);
    expect(await names()).toContain(linked.name);
    await left(50);
    expect(await names()).toEqual([lasting.name]);
  });
});
