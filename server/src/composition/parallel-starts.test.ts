import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isFinal, type TaskStatus } from '@signalbox/contract';
import { expect, it, onTestFinished } from 'vitest';
import type { Database } from '../database/database.ts';
import { BusyRunner, ToldRuns } from '../testing/busy-runner.ts';
import { describeEachDatabase, describeRemoteDatabase, type MakePlace, type Place } from '../testing/databases.ts';
import { sampleProject } from '../testing/sample-project.ts';
import { signalbox } from '../testing/signalbox-process.ts';
import { type Client, startTestServer } from '../testing/test-server.ts';

const STARTS = 100;
const LIMIT = 3;
const SEED = 20_261_121;
/** Servers of one database need one key. */
const KEY = { SIGNALBOX_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') };

/** Looks at the database again and again until every task has ended; answers the most active ones it ever saw. */
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

const runnerOf = async (database: Database, told: ToldRuns, seed: number): Promise<BusyRunner> => {
  const runner = new BusyRunner(told, seed);
  await runner.register(database);
  onTestFinished(() => runner.close());
  return runner;
};

const setUp = async (makePlace: MakePlace, enough: number, settings: Record<string, string> = {}) => {
  const place = await makePlace();
  const server = await startTestServer(place, settings);
  const admin = await server.signIn();
  const sample = await sampleProject(admin, 'Narrow', { max_parallel_tasks: LIMIT });
  const told = new ToldRuns(enough);
  const { database } = server.storage;
  const runner = await runnerOf(database, told, SEED);
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
  return { place, server, admin, sample, told, runner, database, statuses, versions };
};

const start = async (client: Pick<Client, 'post'>, base: string, templateId: number): Promise<number> => {
  const answer = await client.post(`${base}/tasks`, { template_id: templateId });
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<{ id: number }>().id;
};

const counted = (count: number): string[] => Array.from({ length: count }, (_, n) => `1.0.${n}`);

describeEachDatabase(`${STARTS} starts at once`, (makePlace) => {
  it('[R8] never run more of a project than it allows, nor a template twice, and all come to their end', async () => {
    const { place, admin, sample, told, runner, database, statuses } = await setUp(makePlace, LIMIT);
    const single = [await sample.template(), await sample.template()];
    const parallel = { allow_parallel_tasks: true };
    const templates = [...single, await sample.template(parallel), await sample.template(parallel)];
    await runner.connect(place.folder);
    const watched = watchTasks(database, single, STARTS);
    const ids = await Promise.all(
      Array.from({ length: STARTS }, (_, n) => start(admin, sample.base, templates[n % templates.length] as number)),
    );
    expect(await watched).toEqual({ inProject: LIMIT, ofSingle: 1 });
    expect(told.most).toBe(LIMIT);
    expect(told.given.toSorted((a, b) => a - b)).toEqual(ids.toSorted((a, b) => a - b));
    expect(new Set(await statuses())).toEqual(new Set(['success', 'error']));
  });

  it('are served in the order in which they came, where nothing else holds them', async () => {
    const { place, admin, sample, told, runner, database } = await setUp(makePlace, LIMIT);
    const templates: number[] = [];
    for (let n = 0; n < 5; n++) templates.push(await sample.template({ allow_parallel_tasks: true }));
    const ids = await Promise.all(
      Array.from({ length: STARTS }, (_, n) => start(admin, sample.base, templates[n % 5] as number)),
    );
    const inOrder = ids.toSorted((a, b) => a - b);
    const overtakings: string[] = [];
    told.onGiven = (taskId) => {
      // Those that were leased together may arrive in any order: they are the ones that the limit lets through.
      const overtaken = inOrder.filter((id) => id < taskId && !told.given.includes(id));
      if (overtaken.length >= LIMIT) overtakings.push(`${taskId} was given before ${overtaken}`);
    };
    await runner.connect(place.folder);
    await watchTasks(database, [], STARTS);
    expect(overtakings).toEqual([]);
    expect(told.given.toSorted((a, b) => a - b)).toEqual(inOrder);
    expect(told.most).toBe(LIMIT);
  });

  it('[R8] of one build have versions without a gap, and never two of them run', async () => {
    const { place, admin, sample, told, runner, database, versions } = await setUp(makePlace, 1);
    const build = await sample.template({ type: 'build', start_version: '1.0.0' });
    await runner.connect(place.folder);
    const watched = watchTasks(database, [build], STARTS);
    await Promise.all(Array.from({ length: STARTS }, () => start(admin, sample.base, build)));
    expect(await watched).toEqual({ inProject: 1, ofSingle: 1 });
    expect(told.most).toBe(1);
    expect(await versions(build)).toEqual(counted(STARTS));
  });
});

const secondFolder = (place: Place): string => {
  const folder = join(place.folder, 'second');
  mkdirSync(folder, { recursive: true });
  return folder;
};

/** A second server on the same database, as a process that can be killed. */
const secondServer = async (place: Place) => {
  const folder = secondFolder(place);
  const { child, said, ended } = signalbox({ ...place, folder }, 'server', KEY);
  const address = /ready at (\S+)/.exec(await said('ready at'))?.[1] ?? '';
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

describeRemoteDatabase(`${STARTS} starts at once on two servers`, (makePlace) => {
  it('[R8] keep to every limit with a runner each, however often both look for work', async () => {
    const { place, server, admin, sample, told, runner, database, versions } = await setUp(makePlace, LIMIT, KEY);
    const build = await sample.template({ type: 'build', start_version: '1.0.0' });
    const other = await sample.template({ allow_parallel_tasks: true });
    const folder = secondFolder(place);
    const second = await startTestServer({ ...place, folder }, KEY);
    const secondRunner = await runnerOf(database, told, SEED + 1);
    await Promise.all([runner.connect(place.folder), secondRunner.connect(folder)]);
    const watched = watchTasks(database, [build], STARTS, () => {
      for (const { dispatching } of [server, second]) dispatching.dispatcher.wake();
    });
    const clients = [admin, await second.signIn()];
    await Promise.all(
      Array.from({ length: STARTS }, (_, n) => start(clients[n % 2] as Client, sample.base, n % 4 < 2 ? build : other)),
    );
    expect(await watched).toEqual({ inProject: LIMIT, ofSingle: 1 });
    expect(told.most).toBe(LIMIT);
    expect(await versions(build)).toEqual(counted(STARTS / 2));
    expect(Math.min(runner.orders, secondRunner.orders)).toBeGreaterThan(STARTS / 10);
  });

  it('[R3][R8] keep to every limit with a runner each, also when one server is killed in the middle', async () => {
    const { place, admin, sample, told, runner, database, statuses, versions } = await setUp(makePlace, LIMIT, KEY);
    const build = await sample.template({ type: 'build', start_version: '1.0.0' });
    const other = await sample.template({ allow_parallel_tasks: true });
    const second = await secondServer(place);
    const secondRunner = await runnerOf(database, told, SEED + 1);
    const watched = watchTasks(database, [build], 2 * STARTS);
    told.endUpTo(STARTS / 2);
    await secondRunner.connect(second.folder);
    await Promise.all(
      Array.from({ length: 2 * STARTS }, async (_, n) => {
        const template_id = n % 4 < 2 ? build : other;
        if (n % 2) await start(admin, sample.base, template_id);
        else await second.post(`${sample.base}/tasks`, { template_id }, admin.cookie);
      }),
    );
    // From here on both have work: the first alone might be through with all of it before the second begins.
    while (secondRunner.orders === 0) await new Promise(setImmediate);
    await runner.connect(place.folder);
    while (told.ended < STARTS / 2) await new Promise(setImmediate);
    await second.kill();
    told.endUpTo(Number.POSITIVE_INFINITY);
    const again = await secondServer(place);
    await secondRunner.connect(again.folder);
    expect(await watched).toEqual({ inProject: LIMIT, ofSingle: 1 });
    expect(told.most).toBe(LIMIT);
    expect(await versions(build)).toEqual(counted(STARTS));
    expect(new Set(await statuses())).toEqual(new Set(['success', 'error']));
    // A server that had nothing to do would prove nothing.
    expect(Math.min(runner.orders, secondRunner.orders)).toBeGreaterThan(0);
  });
});
