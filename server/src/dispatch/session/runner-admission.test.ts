import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReportedRun, RunnerMessage } from '@signalbox/contract/link';
import { expect, it, onTestFinished } from 'vitest';
import { describeOneDatabase, describeRemoteDatabase, type TestLocation } from '../../testing/database/databases.ts';
import { connectRunner, type ScriptedRunner } from '../../testing/runners/scripted-runner.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { startTestServer } from '../../testing/test-server.ts';

const HEARTBEAT_MS = 100;

/** A runner that sends heartbeats until its link is closed. */
const alive = (runner: ScriptedRunner): void => {
  const timer = setInterval(() => runner.send({ type: 'heartbeat', runs: [] }), HEARTBEAT_MS);
  const end = () => clearInterval(timer);
  onTestFinished(end);
  void runner.closed.then(end);
};

const setUp = async (location: TestLocation) => {
  const server = await startTestServer(location);
  const admin = await server.signIn();
  const { base, template } = await sampleProject(admin);
  const launch = async () =>
    (await admin.post(`${base}/tasks`, { template_id: await template() })).json<{ id: number }>().id;
  const status = async (id: number) => (await admin.get(`${base}/tasks/${id}`)).json<{ status: string }>().status;
  const connect = async (process: string | undefined, predecessors: string[] = [], runs: ReportedRun[] = []) => {
    const runner = await connectRunner(server, location.folder);
    const identity: Partial<Extract<RunnerMessage, { type: 'hello' }>> = process === undefined ? {} : { process };
    runner.hello(runs, { ...identity, predecessors });
    return runner;
  };
  /** An admitted process with a started task. */
  const busy = async () => {
    const process = randomUUID();
    const holder = await connect(process);
    await holder.receives('welcome');
    const id = await launch();
    const { job } = await holder.receives('job');
    const run = { task_id: id, epoch: job.epoch };
    holder.send({ type: 'accepted', ...run });
    await holder.receives('start');
    return { process, holder, id, run };
  };
  const duplicates = async () =>
    (await admin.get('/runners'))
      .json<{ name: string; duplicate_seen: string | null }[]>()
      .filter(({ duplicate_seen }) => duplicate_seen !== null);
  return { server, connect, launch, status, busy, duplicates };
};

describeOneDatabase('[S10] a second process with the token of a runner', (makeLocation) => {
  it.each([
    ['another machine', () => randomUUID(), []],
    ['a program that does not name itself', () => undefined, []],
  ])('is refused while the admitted process answers: %s', async (_, process, predecessors) => {
    const { busy, connect, launch, status, duplicates } = await setUp(await makeLocation());
    const { holder, id, run } = await busy();
    alive(holder);
    const thief = await connect(process(), predecessors);
    await thief.closed;
    expect(thief.received).toEqual([]);
    expect(await status(id)).toBe('starting');
    expect(await duplicates()).toEqual([expect.objectContaining({ name: 'scripted' })]);
    holder.send({ type: 'started', ...run });
    const next = await launch();
    expect((await holder.receives('job')).job.task_id).toBe(next);
  });

  it('is refused even if it is a copy that knows the identity of the original', async () => {
    const { busy, connect, status } = await setUp(await makeLocation());
    const { process, holder, id } = await busy();
    alive(holder);
    const copy = await connect(randomUUID(), [process]);
    await copy.closed;
    expect(copy.received).toEqual([]);
    expect(await status(id)).toBe('starting');
  });

  it('is refused while the admitted process is unreachable and may still execute tasks', async () => {
    const { busy, connect, status, duplicates } = await setUp(await makeLocation());
    const { process, holder, id, run } = await busy();
    holder.close();
    const thief = await connect(randomUUID());
    await thief.closed;
    expect(thief.received).toEqual([]);
    expect(await status(id)).toBe('starting');
    expect(await duplicates()).toHaveLength(1);
    const back = await connect(process, [], [{ ...run, state: 'preparing' }]);
    await back.receives('resume');
    expect(await status(id)).toBe('starting');
  });

  it('does not block the restarted runner itself by asking at the same time', async () => {
    const { busy, connect } = await setUp(await makeLocation());
    const { process } = await busy();
    // The process of the holder has ended: it sends no heartbeat, but its link is still open.
    const successor = await connect(randomUUID(), [process]);
    const thief = await connect(randomUUID());
    await successor.receives('welcome');
    await thief.closed;
    expect(thief.received).toEqual([]);
  });

  it('is not connected if its link has closed during the challenge', async () => {
    const { busy, connect, server } = await setUp(await makeLocation());
    const { process, holder } = await busy();
    const row = async () =>
      await server.storage.database.read.selectFrom('runner').selectAll().executeTakeFirstOrThrow();
    const next = randomUUID();
    const successor = await connect(next, [process]);
    await expect.poll(async () => (await row()).challenger).not.toBeNull();
    successor.close();
    await successor.closed;
    // The challenge ends, because the link of the holder closes.
    holder.close();
    await expect.poll(row).toMatchObject({ process: next, connection: null });
    expect(server.dispatching.hub.runners()).toEqual([]);
  });

  it('is admitted if it is the same runner after a restart, or with a new data folder and no task', async () => {
    const { connect, launch, duplicates } = await setUp(await makeLocation());
    const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()];
    const before = await connect(first);
    await before.receives('welcome');
    before.close();
    const again = await connect(second, [first]);
    await again.receives('welcome');
    // The link of the ended process does not answer.
    const reinstalled = await connect(third);
    await reinstalled.receives('welcome');
    await again.closed;
    const id = await launch();
    expect((await reinstalled.receives('job')).job.task_id).toBe(id);
    expect(await duplicates()).toEqual([]);
  });
});

describeRemoteDatabase('[S10] a second process at another server', (makeLocation) => {
  it('is refused while the admitted process answers, and admitted once it does not', async () => {
    const location = await makeLocation();
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-other-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const one = await setUp(location);
    copyFileSync(join(location.folder, 'encryption.key'), join(folder, 'encryption.key'));
    const other = await startTestServer({ ...location, folder });
    const { holder, process } = await one.busy();
    alive(holder);
    const joining = async (name: string, predecessors: string[]) => {
      const runner = await connectRunner(other, folder);
      runner.hello([], { process: name, predecessors });
      return runner;
    };
    const refused = await joining(randomUUID(), [process]);
    await refused.closed;
    expect(refused.received).toEqual([]);
    holder.close();
    const successor = await joining(randomUUID(), [process]);
    await successor.receives('welcome');
  });
});
