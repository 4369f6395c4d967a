import type { ActiveTask, QueuedTask, ResultRecord, Task } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { EVERY_ENVIRONMENT } from '../execution-environments.ts';
import { endTask } from '../features/tasks/task-end.ts';
import { applyEvent } from '../features/tasks/task-transition.ts';
import { makeProgressTicker, type ProgressMessage } from '../features/times/progress-ticker.ts';
import { RunProgress } from '../features/times/run-progress.ts';
import { silentTasksOf } from '../features/times/silent-in-project.ts';
import { describeEachDatabase, type MakeLocation } from '../testing/database/databases.ts';
import { connectRunner } from '../testing/runners/scripted-runner.ts';
import { sampleProject } from '../testing/sample-project.ts';
import { TestClock } from '../testing/test-clock.ts';
import { startTestServer } from '../testing/test-server.ts';

const START = Date.parse('2026-11-19T10:00:00.000Z');
const SECOND = 1_000;
/** Seconds that each step takes. */
const STEPS = [10, 30, 20];

/** A run on two hosts that starts 5 s after its task. Each step ends with the slower host. */
const recordsOf = (
  task: number,
  steps: number,
  answered: readonly string[] = [],
  names = ['web-1', 'web-2'],
): ResultRecord[] => {
  const records: ResultRecord[] = [
    { kind: 'play', at: task + 5 * SECOND, line: 1, play: 1, name: 'Web', hosts: names.length, names },
  ];
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
      if (!isRunning || answered.includes(host))
        records.push({ kind: 'host', at: end, ...shared, host, result: 'ok', message: '' });
    }
    at += seconds * SECOND;
  }
  if (steps === STEPS.length) records.push({ kind: 'stats', at, line: 9, hosts: {} });
  return records;
};

const setUp = async (makeLocation: MakeLocation) => {
  const clock = new TestClock(new Date(START).toISOString());
  const location = await makeLocation();
  const server = await startTestServer(location, {}, clock);
  const admin = await server.signIn();
  const sample = await sampleProject(admin);
  const template = await sample.template({ allow_parallel_tasks: true });
  const { database, logs } = server.storage;
  let created = START;
  /** Starts a task whose run has reached a step. */
  const start = async (steps: number, input: object = {}, answered: readonly string[] = [], names?: string[]) => {
    const answer = await admin.post(`${sample.base}/tasks`, { template_id: template, ...input });
    const { id } = answer.json<{ id: number }>();
    created += 600 * SECOND;
    const at = new Date(created);
    await applyEvent(database.autocommit, id, 'accepted', at);
    await applyEvent(database.autocommit, id, 'started', at);
    await logs.appendResults({ taskId: id, epoch: 1, first: 1, records: recordsOf(created, steps, answered, names) });
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
  return { location, server, admin, sample, template, database, clock, start, run, taskAt };
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
    expect(late).toMatchObject({ longer_than_usual: true, expected_end: null, done_share: null });
  });

  it('the running step has its usual time, and a host that does not answer in it is silent until it does', async () => {
    const { server, run, start, taskAt } = await setUp(makeLocation);
    for (let count = 0; count < 2; count += 1) await run();
    const early = await start(2, {}, ['web-1']);
    expect(await taskAt(early, 400)).toMatchObject({ running_step: null, silent_hosts: null });
    await run();
    const running = await start(2, {}, ['web-1']);
    const since = new Date(running.at + 15 * SECOND).toISOString();
    const usual = await taskAt(running, 164);
    expect(usual).toMatchObject({ running_step: { step: 2, since, usual_ms: 30 * SECOND }, silent_hosts: null });
    expect((await taskAt(running, 166)).silent_hosts).toEqual({
      ...{ step: 2, name: 'Step 2', line: 2, since, usual_ms: 30 * SECOND, hosts: ['web-2'], total: 1 },
    });
    const answer = { kind: 'host', at: running.at + 166 * SECOND, line: 3, step: 2, host: 'web-2' } as const;
    const records = [{ ...answer, result: 'ok', message: '' }] as const;
    await server.storage.logs.appendResults({ taskId: running.id, epoch: 1, first: 7, records: [...records] });
    expect((await taskAt(running, 168)).silent_hosts).toBeNull();
  });

  it('is unknown to a task that waits for a run that takes longer than usual', async () => {
    const { location, server, admin, sample, template, run, start, taskAt } = await setUp(makeLocation);
    for (let count = 0; count < 3; count += 1) await run();
    await admin.put(`${sample.base}/templates/${template}`, { allow_parallel_tasks: false });
    const running = await start(2);
    const runner = await connectRunner(server, location.folder);
    runner.hello();
    await runner.receives('welcome');
    const { id } = (await admin.post(`${sample.base}/tasks`, { template_id: template })).json<{ id: number }>();
    const reason = async (seconds: number) => {
      await taskAt(running, seconds);
      return (await admin.get(`${sample.base}/tasks/${id}`)).json<QueuedTask>().waiting_reason?.params;
    };
    const expected_end = new Date(running.at + 66 * SECOND).toISOString();
    expect(await reason(30)).toEqual({ id: running.id, expected_end });
    expect(await reason(200)).toEqual({ id: running.id, expected_end: '' });
  });

  it('a host that never answered is named in the first step of its play', async () => {
    const { run, start, taskAt } = await setUp(makeLocation);
    for (let count = 0; count < 3; count += 1) await run();
    const running = await start(1);
    expect((await taskAt(running, 60)).silent_hosts).toMatchObject({ step: 1, hosts: ['web-1', 'web-2'], total: 2 });
  });

  it('each host that does not answer is silent, also one that is not among the first', async () => {
    const { server, sample, database, clock, run, start, taskAt } = await setUp(makeLocation);
    for (let count = 0; count < 3; count += 1) await run();
    const names = Array.from({ length: 25 }, (_, at) => `web-${at + 1}`);
    const running = await start(1, {}, [], names);
    const { silent_hosts } = await taskAt(running, 60);
    expect([silent_hosts?.hosts.length, silent_hosts?.total]).toEqual([20, 25]);
    const { logs } = server.storage;
    const progress = new RunProgress({ database, clock, soFar: (...page) => logs.runSoFar(...page) });
    const silentIn = async (host: string) =>
      (await silentTasksOf({ db: database.read, progress, logs }, sample.projectId, new Set(), host)).map(
        ({ task_id }) => task_id,
      );
    expect([await silentIn('web-1'), await silentIn('web-25'), await silentIn('web-26')]).toEqual([
      ...[[running.id], [running.id], []],
    ]);
  });

  it('the ticker sends the progress of a task when it has changed, and nothing without open pages', async () => {
    const { server, sample, database, clock, run, start } = await setUp(makeLocation);
    for (let count = 0; count < 3; count += 1) await run();
    const running = await start(2, {}, ['web-1']);
    clock.sleep(running.at + 30 * SECOND - clock.now().getTime());
    const sent: ProgressMessage[] = [];
    const alerts: unknown[] = [];
    let isWatched = false;
    const ticker = makeProgressTicker({
      ...{ database, isWatched: () => isWatched, send: (message) => sent.push(message) },
      alert: async (taskId, { hosts }) => {
        alerts.push([taskId, ...hosts]);
      },
      progress: new RunProgress({ database, clock, soFar: (...page) => server.storage.logs.runSoFar(...page) }),
      onError: (error) => expect.fail(String(error)),
    });
    /** What is sent so many seconds later. */
    const sentAfter = async (seconds: number) => {
      clock.sleep(seconds * SECOND);
      ticker.wake();
      await ticker.idle();
      return sent.splice(0).map(({ done_share, longer_than_usual, silent_hosts }) => {
        return [done_share, longer_than_usual, silent_hosts?.hosts];
      });
    };
    expect(await sentAfter(0)).toEqual([]);
    isWatched = true;
    expect(await sentAfter(0)).toEqual([[0.455, false, undefined]]);
    expect(await sentAfter(0)).toEqual([]);
    expect(await sentAfter(6)).toEqual([[0.545, false, undefined]]);
    expect(await sentAfter(30)).toEqual([[null, true, undefined]]);
    expect((await sentAfter(120))[0]?.[2]).toEqual(['web-2']);
    expect(alerts).toEqual([]);
    isWatched = false;
    const change = { alert: 1, alert_silent_hosts: 1 } as const;
    await database.autocommit.updateTable('project').set(change).where('id', '=', sample.projectId).execute();
    expect([await sentAfter(10), await sentAfter(10)]).toEqual([[], []]);
    expect(alerts).toEqual([[running.id, 'web-2']]);
    await ticker.stop();
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
