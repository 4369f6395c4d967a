import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunnerMessage } from '@signalbox/contract/link';
import { expect, it, onTestFinished } from 'vitest';
import { describeOneDatabase, describeRemoteDatabase, type Place } from '../testing/databases.ts';
import { sampleProject } from '../testing/sample-project.ts';
import { connectRunner, type ScriptedRunner } from '../testing/scripted-runner.ts';
import { startTestServer } from '../testing/test-server.ts';

const HEARTBEAT_MS = 100;

/** A runner that sends heartbeats until its link is closed. */
const alive = (runner: ScriptedRunner): void => {
  const timer = setInterval(() => runner.say({ type: 'heartbeat', runs: [] }), HEARTBEAT_MS);
  const end = () => clearInterval(timer);
  onTestFinished(end);
  void runner.closed.then(end);
};

const setUp = async (place: Place) => {
  const server = await startTestServer(place);
  const admin = await server.signIn();
  const { base, template } = await sampleProject(admin);
  const launch = async () =>
    (await admin.post(`${base}/tasks`, { template_id: await template() })).json<{ id: number }>().id;
  const status = async (id: number) => (await admin.get(`${base}/tasks/${id}`)).json<{ status: string }>().status;
  const connect = async (process: string | undefined, predecessors: string[] = []) => {
    const runner = await connectRunner(server, place.folder);
    const identity: Partial<Extract<RunnerMessage, { type: 'hello' }>> = process === undefined ? {} : { process };
    runner.hello([], { ...identity, predecessors });
    return runner;
  };
  /** The admitted process, with a task that it has started. */
  const busy = async () => {
    const process = randomUUID();
    const holder = await connect(process);
    await holder.hears('welcome');
    const id = await launch();
    const { order } = await holder.hears('order');
    const run = { task_id: id, epoch: order.epoch };
    holder.say({ type: 'accepted', ...run });
    await holder.hears('go');
    return { process, holder, id, run };
  };
  const duplicates = async () =>
    (await admin.get('/runners'))
      .json<{ name: string; duplicate_seen: string | null }[]>()
      .filter(({ duplicate_seen }) => duplicate_seen !== null);
  return { server, connect, launch, status, busy, duplicates };
};

describeOneDatabase('[S10] a second process with the token of a runner', (makePlace) => {
  it.each([
    ['another machine', () => randomUUID(), []],
    ['a program that does not name itself', () => undefined, []],
  ])('is refused while the holder answers: %s', async (_, process, predecessors) => {
    const { busy, connect, launch, status, duplicates } = await setUp(await makePlace());
    const { holder, id, run } = await busy();
    alive(holder);
    const thief = await connect(process(), predecessors);
    await thief.closed;
    expect(thief.heard).toEqual([]);
    expect(await status(id)).toBe('starting');
    expect(await duplicates()).toEqual([expect.objectContaining({ name: 'scripted' })]);
    holder.say({ type: 'started', ...run });
    const next = await launch();
    expect((await holder.hears('order')).order.task_id).toBe(next);
  });

  it('is refused although it is a copy that knows the process that it was copied from', async () => {
    const { busy, connect, status } = await setUp(await makePlace());
    const { process, holder, id } = await busy();
    alive(holder);
    const copy = await connect(randomUUID(), [process]);
    await copy.closed;
    expect(copy.heard).toEqual([]);
    expect(await status(id)).toBe('starting');
  });

  it('is refused while the holder is away and may still be executing tasks', async () => {
    const { busy, connect, status, duplicates } = await setUp(await makePlace());
    const { process, holder, id, run } = await busy();
    holder.close();
    const thief = await connect(randomUUID());
    await thief.closed;
    expect(thief.heard).toEqual([]);
    expect(await status(id)).toBe('starting');
    expect(await duplicates()).toHaveLength(1);
    const back = await connect(process);
    await back.hears('welcome');
    back.say({ type: 'heartbeat', runs: [{ ...run, state: 'playing' }] });
    expect(await status(id)).toBe('starting');
  });

  it('does not keep the runner itself out, which was started again, by asking at the same time', async () => {
    const { busy, connect } = await setUp(await makePlace());
    const { process } = await busy();
    // The holder sends no heartbeat: its process is gone, and nothing has closed its link.
    const successor = await connect(randomUUID(), [process]);
    const thief = await connect(randomUUID());
    await successor.hears('welcome');
    await thief.closed;
    expect(thief.heard).toEqual([]);
  });

  it('is let in where it is the same runner, started again or with a new data folder and no task', async () => {
    const { connect, launch, duplicates } = await setUp(await makePlace());
    const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()];
    const before = await connect(first);
    await before.hears('welcome');
    before.close();
    const again = await connect(second, [first]);
    await again.hears('welcome');
    // The link of the process that has ended does not answer.
    const reinstalled = await connect(third);
    await reinstalled.hears('welcome');
    await again.closed;
    const id = await launch();
    expect((await reinstalled.hears('order')).order.task_id).toBe(id);
    expect(await duplicates()).toEqual([]);
  });
});

describeRemoteDatabase('[S10] a second process at another server', (makePlace) => {
  it('is refused while the holder answers, and let in once it does not', async () => {
    const place = await makePlace();
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-other-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const one = await setUp(place);
    copyFileSync(join(place.folder, 'encryption.key'), join(folder, 'encryption.key'));
    const other = await startTestServer({ ...place, folder });
    const { holder, process } = await one.busy();
    alive(holder);
    const joining = async (name: string, predecessors: string[]) => {
      const runner = await connectRunner(other, folder);
      runner.hello([], { process: name, predecessors });
      return runner;
    };
    const refused = await joining(randomUUID(), [process]);
    await refused.closed;
    expect(refused.heard).toEqual([]);
    holder.close();
    const successor = await joining(randomUUID(), [process]);
    await successor.hears('welcome');
  });
});
