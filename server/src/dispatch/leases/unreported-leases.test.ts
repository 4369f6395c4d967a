import { expect, it } from 'vitest';
import { describeEachDatabase, type MakeLocation } from '../../testing/database/databases.ts';
import { connectRunner, type ScriptedRunner } from '../../testing/runners/scripted-runner.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { TestClock } from '../../testing/test-clock.ts';
import { startTestServer } from '../../testing/test-server.ts';

const PATIENCE_MS = 15_000;

/** A message about an unknown run. Its answer proves that the server has handled all messages before. */
const NOBODYS = { type: 'started', task_id: 999_999, epoch: 1 } as const;

const heartbeat = async (runner: ScriptedRunner, draining?: true): Promise<void> => {
  runner.send({ type: 'heartbeat', runs: [], ...(draining ? { draining } : {}) });
  runner.send(NOBODYS);
  await runner.receives('abandon');
};

/** Gives a task to a runner. */
const leased = async (makeLocation: MakeLocation) => {
  const location = await makeLocation();
  const clock = new TestClock('2026-11-21T12:00:00.000Z');
  const server = await startTestServer(location, {}, clock);
  const client = await server.signIn();
  const { base, template } = await sampleProject(client);
  const connect = async () => {
    const runner = await connectRunner(server, location.folder);
    runner.hello();
    return runner;
  };
  const runner = await connect();
  const { id } = (await client.post(`${base}/tasks`, { template_id: await template() })).json<{ id: number }>();
  const { job } = await runner.receives('job');
  const run = { task_id: id, epoch: job.epoch };
  const status = async () => (await client.get(`${base}/tasks/${id}`)).json<{ status: string }>().status;
  const log = async () => (await client.get(`${base}/tasks/${id}/raw_output`)).body;
  return { clock, connect, runner, run, status, log };
};

describeEachDatabase('a lease that a living runner does not know', (makeLocation) => {
  it('[R3] is released after a while if its run had not begun', async () => {
    const { clock, runner, run, status } = await leased(makeLocation);
    await heartbeat(runner);
    clock.pass(PATIENCE_MS - 1);
    await heartbeat(runner);
    expect(runner.received.filter(({ type }) => type === 'job')).toEqual([]);
    clock.pass(1);
    await heartbeat(runner);
    const { job } = await runner.receives('job');
    expect(job.task_id).toBe(run.task_id);
    expect(job.epoch).toBeGreaterThan(run.epoch);
    // If the first acceptance arrives late, it is ignored.
    runner.send({ type: 'accepted', ...run });
    expect(await runner.receives('abandon')).toMatchObject(run);
    expect(await status()).toBe('waiting');
  });

  it('[R3] is lost after the same while if its run had begun', async () => {
    const { clock, runner, run, status, log } = await leased(makeLocation);
    runner.send({ type: 'accepted', ...run });
    await runner.receives('start');
    await heartbeat(runner);
    clock.pass(PATIENCE_MS);
    runner.send({ type: 'heartbeat', runs: [{ ...run, state: 'accepted' }] });
    await heartbeat(runner);
    // The lease was reported meanwhile, so the time starts again.
    expect(await status()).toBe('starting');
    clock.pass(PATIENCE_MS);
    await heartbeat(runner);
    await expect.poll(status).toBe('error');
    expect(await log()).toContain('The runner lost this run');
  });

  it('[R12] is released at once if the runner takes no more jobs', async () => {
    const { connect, runner, run } = await leased(makeLocation);
    await heartbeat(runner, true);
    expect(runner.received.filter(({ type }) => type === 'job')).toEqual([]);
    const next = await connect();
    const { job } = await next.receives('job');
    expect(job.task_id).toBe(run.task_id);
    expect(job.epoch).toBeGreaterThan(run.epoch);
  });
});
