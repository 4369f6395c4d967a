import { expect, it } from 'vitest';
import { describeEachDatabase, type MakePlace } from '../testing/databases.ts';
import { sampleProject } from '../testing/sample-project.ts';
import { connectRunner, type ScriptedRunner } from '../testing/scripted-runner.ts';
import { TestClock } from '../testing/test-clock.ts';
import { startTestServer } from '../testing/test-server.ts';

const PATIENCE_MS = 15_000;

/** A run that is not there: the server answers that at once, and so tells that it has dealt with all that was said before. */
const NOBODYS = { type: 'started', task_id: 999_999, epoch: 1 } as const;

const beat = async (runner: ScriptedRunner, draining?: true): Promise<void> => {
  runner.say({ type: 'heartbeat', runs: [], ...(draining ? { draining } : {}) });
  runner.say(NOBODYS);
  await runner.hears('drop');
};

/** A task that was given to a runner. */
const ordered = async (makePlace: MakePlace) => {
  const place = await makePlace();
  const clock = new TestClock('2026-11-21T12:00:00.000Z');
  const server = await startTestServer(place, {}, clock);
  const client = await server.signIn();
  const { base, template } = await sampleProject(client);
  const connect = async () => {
    const runner = await connectRunner(server, place.folder);
    runner.hello();
    return runner;
  };
  const runner = await connect();
  const { id } = (await client.post(`${base}/tasks`, { template_id: await template() })).json<{ id: number }>();
  const { order } = await runner.hears('order');
  const run = { task_id: id, epoch: order.epoch };
  const status = async () => (await client.get(`${base}/tasks/${id}`)).json<{ status: string }>().status;
  const log = async () => (await client.get(`${base}/tasks/${id}/raw_output`)).body;
  return { clock, connect, runner, run, status, log };
};

describeEachDatabase('a lease of which a living runner knows nothing', (makePlace) => {
  it('[R3] is given again after a while where it had not begun', async () => {
    const { clock, runner, run, status } = await ordered(makePlace);
    await beat(runner);
    clock.pass(PATIENCE_MS - 1);
    await beat(runner);
    expect(runner.heard.filter(({ type }) => type === 'order')).toEqual([]);
    clock.pass(1);
    await beat(runner);
    const { order } = await runner.hears('order');
    expect(order.task_id).toBe(run.task_id);
    expect(order.epoch).toBeGreaterThan(run.epoch);
    // Should the first one come late after all, it counts no more.
    runner.say({ type: 'accepted', ...run });
    expect(await runner.hears('drop')).toMatchObject(run);
    expect(await status()).toBe('waiting');
  });

  it('[R3] is lost after the same while where it had', async () => {
    const { clock, runner, run, status, log } = await ordered(makePlace);
    runner.say({ type: 'accepted', ...run });
    await runner.hears('go');
    await beat(runner);
    clock.pass(PATIENCE_MS);
    runner.say({ type: 'heartbeat', runs: [{ ...run, state: 'accepted' }] });
    await beat(runner);
    // It was spoken of meanwhile: the while begins anew.
    expect(await status()).toBe('starting');
    clock.pass(PATIENCE_MS);
    await beat(runner);
    await expect.poll(status).toBe('error');
    expect(await log()).toContain('The runner lost this run');
  });

  it('[R12] is for others at once where the runner takes no more orders', async () => {
    const { connect, runner, run } = await ordered(makePlace);
    await beat(runner, true);
    expect(runner.heard.filter(({ type }) => type === 'order')).toEqual([]);
    const next = await connect();
    const { order } = await next.hears('order');
    expect(order.task_id).toBe(run.task_id);
    expect(order.epoch).toBeGreaterThan(run.epoch);
  });
});
