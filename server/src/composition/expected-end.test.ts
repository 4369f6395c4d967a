import type { ActiveTask, ResultRecord, Task } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { EVERY_ENVIRONMENT } from '../execution-environments.ts';
import { endTask } from '../features/tasks/task-end.ts';
import { applyEvent } from '../features/tasks/task-transition.ts';
import { describeEachDatabase, type MakeLocation } from '../testing/database/databases.ts';
import { sampleProject } from '../testing/sample-project.ts';
import { TestClock } from '../testing/test-clock.ts';
import { startTestServer } from '../testing/test-server.ts';

const START = Date.parse('2026-11-19T10:00:00.000Z');
const SECOND = 1_000;
/** Seconds that each step takes. */
const STEPS = [10, 30, 20];

/** A run on two hosts that starts 5 s after its task. Each step ends with the slower host. */
const recordsOf = (task: number, steps: number): ResultRecord[] => {
  const records: ResultRecord[] = [{ kind: 'play', at: task + 5 * SECOND, line: 1, play: 1, name: 'Web', hosts: 2 }];
  let at = task + 5 * SECOND;
  for (const [position, seconds] of STEPS.slice(0, steps).entries()) {
    const step = position + 1;
    const shared = { line: step, step } as const;
    records.push({ kind: 'step', at, ...shared, play: 1, name: `Step ${step}`, action: 'apt', handler: false });
    const isRunning = step === steps && steps < STEPS.length;
    for (const [host, share] of [
      ['web-1', 0.5],
      ['web-2', 1],
    ] as const) {
      const end = at + seconds * share * SECOND;
      if (!isRunning) records.push({ kind: 'host', at: end, ...shared, host, result: 'ok', message: '' });
    }
    at += seconds * SECOND;
  }
  if (steps === STEPS.length) records.push({ kind: 'stats', at, line: 9, hosts: {} });
  return records;
};

const setUp = async (makeLocation: MakeLocation) => {
  const clock = new TestClock(new Date(START).toISOString());
  const server = await startTestServer(await makeLocation(), {}, clock);
  const admin = await server.signIn();
  const sample = await sampleProject(admin);
  const template = await sample.template({ allow_parallel_tasks: true });
  const { database, logs } = server.storage;
  let created = START;
  /** Starts a task whose run has reached a step. */
  const start = async (steps: number, input: object = {}) => {
    const answer = await admin.post(`${sample.base}/tasks`, { template_id: template, ...input });
    const { id } = answer.json<{ id: number }>();
    created += 600 * SECOND;
    const at = new Date(created);
    await applyEvent(database.autocommit, id, 'accepted', at);
    await applyEvent(database.autocommit, id, 'started', at);
    await logs.appendResults({ taskId: id, epoch: 1, first: 1, records: recordsOf(created, steps) });
    return { id, at: created };
  };
  const run = async (input: object = {}, event: 'succeeded' | 'failed' = 'succeeded') => {
    const { id, at } = await start(STEPS.length, input);
    await logs.closeLog(id);
    await database.write((tx) => endTask(tx, EVERY_ENVIRONMENT, id, event, new Date(at + 66 * SECOND)));
    server.outbox.wake();
    await server.outbox.idle();
    return id;
  };
  /** The task, so many seconds after it has started. */
  const taskAt = async ({ id, at }: { id: number; at: number }, seconds: number) => {
    clock.sleep(at + seconds * SECOND - clock.now().getTime());
    return (await admin.get(`${sample.base}/tasks/${id}`)).json<Task>();
  };
  return { server, admin, sample, template, database, start, run, taskAt };
};

describeEachDatabase('the expected end of a running task', (makeLocation) => {
  it('is known after three successful runs with the same options, and follows the run', async () => {
    const { admin, start, run, taskAt } = await setUp(makeLocation);
    await run();
    await run();
    await run({ limit: 'web-1' });
    await run({}, 'failed');
    const unknown = await start(2);
    expect(await taskAt(unknown, 30)).toMatchObject({ expected_end: null, done_share: null });
    await run();
    const running = await start(2);
    const ends = (seconds: number) => new Date(running.at + seconds * SECOND).toISOString();
    expect(await taskAt(running, 30)).toMatchObject({
      expected_end: ends(66),
      done_share: 0.455,
      longer_than_usual: false,
    });
    const listed = (await admin.get('/tasks/active')).json<ActiveTask[]>().find(({ id }) => id === running.id);
    expect(listed?.expected_end).toBe(ends(66));
    const late = await taskAt(running, 60);
    expect(late.longer_than_usual).toBe(true);
    expect(Date.parse(late.expected_end ?? '')).toBeGreaterThan(running.at + 81 * SECOND);
  });

  it('stays known when the logs are removed, and its times are deleted with the template', async () => {
    const { server, admin, sample, template, database, start, run, taskAt } = await setUp(makeLocation);
    const ids = [await run(), await run(), await run()];
    await server.storage.logs.remove(ids);
    const running = await start(1);
    expect((await taskAt(running, 6)).done_share).toBe(0.091);
    await database.write((tx) => endTask(tx, EVERY_ENVIRONMENT, running.id, 'failed', new Date(running.at)));
    expect((await admin.del(`${sample.base}/templates/${template}`)).statusCode).toBe(204);
    expect(await database.read.selectFrom('run_time').select('task_id').execute()).toEqual([]);
  });
});
