import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isFinal, type TaskStatus } from '@signalbox/contract';
import { expect, it, onTestFinished } from 'vitest';
import { isWholeRun } from '../../../testing/sample.ts';
import type { Database } from '../database/database.ts';
import {
  describeEachDatabase,
  describeRemoteDatabase,
  type MakeLocation,
  type TestLocation,
} from '../testing/database/databases.ts';
import { BusyRunner, SentRuns } from '../testing/runners/busy-runner.ts';
import { sampleProject } from '../testing/sample-project.ts';
import { signalbox } from '../testing/signalbox-process.ts';
import { type Client, startTestServer } from '../testing/test-server.ts';

const STARTS = isWholeRun() ? 100 : 60;
const LIMIT = 3;
const SEED = 20_261_121;
/** Servers of one database need one key. */
const KEY = { SIGNALBOX_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') };

/** Polls the database until every task has ended. Returns the maximum of concurrent tasks. */
const watchTasks = async (
  database: Database,
  single: readonly number[],
  expected: number,
  each: () => void = () => undefined,
) => {
  const most = { inProject: 0, ofSingle: 0 };
  for (;;) {
    const tasks = await database.read.selectFrom('task').select(['template_id', 'status', 'runner_id']).execute();
    const active = tasks.filter((task) => !isFinal(task.status) && (task.status !== 'waiting' || task.runner_id));
    const ofTemplate = (id: number) => active.filter(({ template_id }) => template_id === id).length;
    most.inProject = Math.max(most.inProject, active.length);
    most.ofSingle = Math.max(most.ofSingle, ...single.map(ofTemplate));
    if (tasks.length === expected && tasks.every(({ status }) => isFinal(status))) return most;
    each();
    await new Promise(setImmediate);
  }
};

const runnerOf = async (database: Database, notified: SentRuns, seed: number): Promise<BusyRunner> => {
  const runner = new BusyRunner(notified, seed);
  await runner.register(database);
  onTestFinished(() => runner.close());
  return runner;
};

const setUp = async (makeLocation: MakeLocation, enough: number, settings: Record<string, string> = {}) => {
  const location = await makeLocation();
  const server = await startTestServer(location, settings);
  const admin = await server.signIn();
  const sample = await sampleProject(admin, 'Narrow', { max_parallel_tasks: LIMIT });
  const notified = new SentRuns(enough);
  const { database } = server.storage;
  const runner = await runnerOf(database, notified, SEED);
  const statuses = async () => {
    const rows = await database.read.selectFrom('task').select(['status']).execute();
    return rows.map(({ status }): TaskStatus => status);
  };
  /** Versions of a build template in the order of its tasks. */
  const versions = async (templateId: number) => {
    const rows = await database.read
      .selectFrom('task')
      .select('version')
      .where('template_id', '=', templateId)
      .orderBy('id')
      .execute();
    return rows.map(({ version }) => version);
  };
  return { location, server, admin, sample, notified, runner, database, statuses, versions };
};

const start = async (client: Pick<Client, 'post'>, base: string, templateId: number): Promise<number> => {
  const answer = await client.post(`${base}/tasks`, { template_id: templateId });
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<{ id: number }>().id;
};

const counted = (count: number): string[] => Array.from({ length: count }, (_, n) => `1.0.${n}`);

describeEachDatabase(`${STARTS} simultaneous starts`, (makeLocation) => {
  it('[R8] never exceed the limits of projects and templates, and all tasks end', async () => {
    const { location, admin, sample, notified, runner, database, statuses } = await setUp(makeLocation, LIMIT);
    const single = [await sample.template(), await sample.template()];
    const parallel = { allow_parallel_tasks: true };
    const templates = [...single, await sample.template(parallel), await sample.template(parallel)];
    await runner.connect(location.folder);
    const watched = watchTasks(database, single, STARTS);
    const ids = await Promise.all(
      Array.from({ length: STARTS }, (_, n) => start(admin, sample.base, templates[n % templates.length] as number)),
    );
    expect(await watched).toEqual({ inProject: LIMIT, ofSingle: 1 });
    expect(notified.most).toBe(LIMIT);
    expect(notified.given.toSorted((a, b) => a - b)).toEqual(ids.toSorted((a, b) => a - b));
    expect(new Set(await statuses())).toEqual(new Set(['success', 'error']));
  });

  it('run in the order of their creation unless a limit delays them', async () => {
    const { location, admin, sample, notified, runner, database } = await setUp(makeLocation, LIMIT);
    const templates: number[] = [];
    for (let n = 0; n < 5; n++) templates.push(await sample.template({ allow_parallel_tasks: true }));
    const ids = await Promise.all(
      Array.from({ length: STARTS }, (_, n) => start(admin, sample.base, templates[n % 5] as number)),
    );
    const inOrder = ids.toSorted((a, b) => a - b);
    const overtakings: string[] = [];
    notified.onGiven = (taskId) => {
      // Tasks that were leased together may arrive in any order, up to the limit.
      const overtaken = inOrder.filter((id) => id < taskId && !notified.given.includes(id));
      if (overtaken.length >= LIMIT) overtakings.push(`${taskId} was given before ${overtaken}`);
    };
    await runner.connect(location.folder);
    await watchTasks(database, [], STARTS);
    expect(overtakings).toEqual([]);
    expect(notified.given.toSorted((a, b) => a - b)).toEqual(inOrder);
    expect(notified.most).toBe(LIMIT);
  });

  it('[R8] give the tasks of one build template versions without gaps, and never run two of them at the same time', async () => {
    const { location, admin, sample, notified, runner, database, versions } = await setUp(makeLocation, 1);
    const build = await sample.template({ type: 'build', start_version: '1.0.0' });
    await runner.connect(location.folder);
    const watched = watchTasks(database, [build], STARTS);
    await Promise.all(Array.from({ length: STARTS }, () => start(admin, sample.base, build)));
    expect(await watched).toEqual({ inProject: 1, ofSingle: 1 });
    expect(notified.most).toBe(1);
    expect(await versions(build)).toEqual(counted(STARTS));
  });
});

const secondFolder = (location: TestLocation): string => {
  const folder = join(location.folder, 'second');
  mkdirSync(folder, { recursive: true });
  return folder;
};

/** A second server on the same database, as a process that can be killed. */
const secondServer = async (location: TestLocation) => {
  const folder = secondFolder(location);
  const { child, printed: answers, ended } = signalbox({ ...location, folder }, 'server', KEY);
  const address = /ready at (\S+)/.exec(await answers('ready at'))?.[1] ?? '';
  return {
    folder,
    post: async (path: string, body: unknown, cookie: string) => {
      const answer = await fetch(`${address}/api${path}`, {
        method: 'POST',
        headers: { cookie, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect(answer.status, path).toBe(201);
    },
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
};

describeRemoteDatabase(`${STARTS} simultaneous starts on two servers`, (makeLocation) => {
  it('[R8] respect every limit with one runner per server, however often both poll', async () => {
    const { location, server, admin, sample, notified, runner, database, versions } = await setUp(
      makeLocation,
      LIMIT,
      KEY,
    );
    const build = await sample.template({ type: 'build', start_version: '1.0.0' });
    const other = await sample.template({ allow_parallel_tasks: true });
    const folder = secondFolder(location);
    const second = await startTestServer({ ...location, folder }, KEY);
    const secondRunner = await runnerOf(database, notified, SEED + 1);
    await Promise.all([runner.connect(location.folder), secondRunner.connect(folder)]);
    const watched = watchTasks(database, [build], STARTS, () => {
      for (const { dispatching } of [server, second]) dispatching.dispatcher.wake();
    });
    const clients = [admin, await second.signIn()];
    await Promise.all(
      Array.from({ length: STARTS }, (_, n) => start(clients[n % 2] as Client, sample.base, n % 4 < 2 ? build : other)),
    );
    expect(await watched).toEqual({ inProject: LIMIT, ofSingle: 1 });
    expect(notified.most).toBe(LIMIT);
    expect(await versions(build)).toEqual(counted(STARTS / 2));
    expect(Math.min(runner.orders, secondRunner.orders)).toBeGreaterThan(STARTS / 10);
  });

  it('[R3][R8] respect every limit with one runner per server, even if one server is killed meanwhile', async () => {
    const { location, server, admin, sample, notified, runner, database, statuses, versions } = await setUp(
      makeLocation,
      LIMIT,
      KEY,
    );
    const build = await sample.template({ type: 'build', start_version: '1.0.0' });
    const other = await sample.template({ allow_parallel_tasks: true });
    const second = await secondServer(location);
    const secondRunner = await runnerOf(database, notified, SEED + 1);
    // Otherwise the second server, which gets the ends of its runner at once, could claim every task.
    const watched = watchTasks(database, [build], 2 * STARTS, () => server.dispatching.dispatcher.wake());
    notified.endUpTo(STARTS / 2);
    await secondRunner.connect(second.folder);
    await Promise.all(
      Array.from({ length: 2 * STARTS }, async (_, n) => {
        const template_id = n % 4 < 2 ? build : other;
        if (n % 2) await start(admin, sample.base, template_id);
        else await second.post(`${sample.base}/tasks`, { template_id }, admin.cookie);
      }),
    );
    // Both servers must have work. Otherwise the first could finish all of it before the second begins.
    while (secondRunner.orders === 0) await new Promise(setImmediate);
    await runner.connect(location.folder);
    while (notified.ended < STARTS / 2) await new Promise(setImmediate);
    await second.kill();
    notified.endUpTo(Number.POSITIVE_INFINITY);
    const again = await secondServer(location);
    await secondRunner.connect(again.folder);
    expect(await watched).toEqual({ inProject: LIMIT, ofSingle: 1 });
    expect(notified.most).toBe(LIMIT);
    expect(await versions(build)).toEqual(counted(STARTS));
    expect(new Set(await statuses())).toEqual(new Set(['success', 'error']));
    // A server without work would prove nothing.
    expect(Math.min(runner.orders, secondRunner.orders)).toBeGreaterThan(0);
  });
});
