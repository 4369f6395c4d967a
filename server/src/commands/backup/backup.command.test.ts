import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { type InstallationStorage, ROUTE_TABLE, type RouteName, type System } from '@signalbox/contract';
import { expect, it, onTestFinished } from 'vitest';
import { drawSample, isWholeRun } from '../../../../testing/sample.ts';
import { seedOfTest } from '../../../../testing/seed.ts';
import { seededRandom } from '../../../../testing/seeded-random.ts';
import { snapshotOf, withoutSignIns } from '../../testing/database/database-snapshot.ts';
import {
  describeEachEmptyDatabase,
  describeOneEmptyDatabase,
  type TestLocation,
} from '../../testing/database/databases.ts';
import { makeEmptyState } from '../../testing/database/empty-state.ts';
import { ASKS_RUNNER, VALID_REQUESTS } from '../../testing/requests/valid-request.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { signalbox } from '../../testing/signalbox-process.ts';
import { TestClock } from '../../testing/test-clock.ts';
import { type Client, startTestServer, type TestServer } from '../../testing/test-server.ts';

const LINES = 2_000;
const EVENTS = isWholeRun() ? 20_000 : 5_000;

const backupOf = async (location: TestLocation, file: string, ...args: string[]) =>
  await signalbox(location, 'backup', '--output', file, ...args).ended;

/** Every reading call of the route table, with valid parameters for this server. */
const readingCalls = async (server: TestServer, admin: Client): Promise<Map<RouteName, string>> => {
  const sample = await sampleProject(admin, 'Backed up');
  await admin.post(`${sample.base}/keys`, {
    name: 'Deploy',
    type: 'login_password',
    login_password: { login: 'x', password: 'a secret of the vault' },
  });
  const template_id = await sample.template({ lock_hosts: true, locks: ['release'] });
  await admin.post(`${sample.base}/tasks`, { template_id });
  const paths = new Map<RouteName, string>();
  for (const [name, route] of Object.entries(ROUTE_TABLE) as [RouteName, (typeof ROUTE_TABLE)[RouteName]][]) {
    if (route.method !== 'GET' || ASKS_RUNNER.includes(name)) continue;
    const { params } = await VALID_REQUESTS[name]({ server, admin, sample }, `of ${name}`);
    const values: Record<string, number> = { project_id: sample.projectId, ...params };
    paths.set(
      name,
      route.path.replaceAll(/\{(\w+)\}/g, (_, param: string) => String(values[param])),
    );
  }
  return paths;
};

/** The metrics that come from the database. */
const storedMetrics = (body: string): string => (body.match(/^signalbox_tasks\{.*$/gm) ?? ['none']).join('\n');

/** The sign-in help names the data folder unless a setting names the command. */
const SAME_COMMAND = { SIGNALBOX_COMMAND: 'signalbox' };

/** The part of the state of the system that comes from the stored rows. */
const storedSystem = (body: string): unknown => {
  const { database, runners, queue } = JSON.parse(body) as System;
  return { migrations: database.migrations, runners, queue };
};

/** The storage of all projects without the disk of this machine, whose free space changes at any time. */
const storedStorage = (body: string): unknown => {
  const { disk: _, full_in_days: _days, next_sweep: _sweep, ...stored } = JSON.parse(body) as InstallationStorage;
  return stored;
};

const storedBody = (name: string, body: string): unknown => {
  if (name === 'getSystem') return storedSystem(body);
  if (name === 'getStorageOfProjects') return storedStorage(body);
  // A feed contains the address of its server, whose port is another one.
  if (name === 'readFeed') return body.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, '');
  return name === 'metrics' ? storedMetrics(body) : body;
};

const answersTo = async (client: Client, paths: ReadonlyMap<RouteName, string>): Promise<Record<string, unknown>> => {
  const answers: Record<string, unknown> = {};
  for (const [name, path] of paths) {
    const { statusCode, body } = await client.get(path);
    answers[name] = { statusCode, body: storedBody(name, body) };
  }
  return answers;
};

/** Writes a log for each task. */
const writeLogs = async ({ storage }: TestServer): Promise<void> => {
  const lines = Array.from({ length: LINES }, (_, index): [number, string] => [index, `line ${index} \u001b[32mok`]);
  const tasks = await storage.database.read.selectFrom('task').select('id').execute();
  for (const { id } of tasks)
    await storage.logs.appendOutput({ taskId: id, epoch: 1, first: 1, offset: 5_000_000_000, lines });
};

/** Writes so many events that a backup and a restore take some time. */
const writeEvents = async ({ storage }: TestServer, project_id: number): Promise<void> => {
  const input = { user_id: 1, project_id, object_id: 1, object_type: 'task', address: '', created: '2026-11-21' };
  const events = Array.from({ length: EVENTS / 10 }, (_, index) => ({
    ...input,
    object_name: `${index}`,
    kind: 'text',
    params: '{"text":"x"}',
  }));
  for (let batch = 0; batch < 10; batch++)
    await storage.database.autocommit.insertInto('event').values(events).execute();
};

it('a backup that is made to exhaust memory is refused without using much memory', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-restore-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'bomb.backup');
  const small = { NODE_OPTIONS: '--max-old-space-size=300' };
  const pieces = {
    divided: '[],'.repeat(10_000_000),
    deep: '['.repeat(30_000_000),
    long: `["${'x'.repeat(40_000_000)}"]`,
  };
  for (const [name, piece] of drawSample('files that exhaust memory: restore', Object.entries(pieces), 1)) {
    writeFileSync(file, gzipSync(`${piece}\n`, { level: 1 }));
    const location = { folder: join(folder, name), databaseUrl: undefined };
    const { code, output } = await signalbox(location, 'restore', file, small).ended;
    expect({ name, code, output }).toEqual({
      name,
      code: 1,
      output: `${file} is not a Signalbox backup, or it is incomplete.\n`,
    });
  }
});

describeEachEmptyDatabase('[R14] signalbox backup and restore', (makeLocation) => {
  it('restore a server that answers every read call the same and decrypts every secret', async () => {
    const location = await makeLocation();
    const clock = new TestClock('2026-11-21T08:00:00Z');
    const server = await startTestServer(location, SAME_COMMAND, clock);
    const admin = await server.signIn();
    const paths = await readingCalls(server, admin);
    expect(paths.size).toBeGreaterThan(40);
    await writeLogs(server);
    const before = await answersTo(admin, paths);
    expect(before.metrics).toMatchObject({ body: expect.stringMatching(/waiting.* [1-9]/) });
    const file = join(location.folder, 'all.backup');
    const made = await backupOf(location, file, '--with-key', '--with-tokens', '--passphrase', 'open it');
    expect(made, made.output).toMatchObject({ code: 0 });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const lastBackup = async (of: Client) => (await of.get('/system')).json<System>().database.last_backup;
    expect(Date.parse((await lastBackup(admin)) ?? '')).toBeGreaterThan(Date.now() - 60_000);
    await server.stop();

    const other = await makeLocation();
    const restored = await signalbox(other, 'restore', file, '--keep-schedules', '--passphrase', 'open it').ended;
    expect(restored, restored.output).toMatchObject({ code: 0 });
    expect(await snapshotOf(other)).toEqual(withoutSignIns(await snapshotOf(location)));
    const check = await signalbox(other, 'vault', 'check').ended;
    expect(check, check.output).toMatchObject({ code: 0, output: expect.stringMatching(/decrypts [1-9]\d* secret/) });
    const again = await startTestServer(other, SAME_COMMAND, clock);
    const client = await again.signIn();
    // It is that of the other server, not of this one.
    expect(await lastBackup(client)).toBeNull();
    // The event of this sign-in is the only one that the other server does not have.
    const { read, autocommit } = again.storage.database;
    await autocommit
      .deleteFrom('event')
      .where('id', '=', read.selectFrom('event').select(read.fn.max('id').as('id')))
      .execute();
    expect(await answersTo(client, paths)).toEqual(before);
  });

  it('copy a consistent state while a server writes', async () => {
    const location = await makeLocation();
    const server = await startTestServer(location);
    const admin = await server.signIn();
    const { base, template } = await sampleProject(admin);
    const template_id = await template({ allow_parallel_tasks: true });
    let writing = true;
    const writer = (async () => {
      while (writing) {
        const task = await admin.post(`${base}/tasks`, { template_id });
        expect(task.statusCode, task.body).toBe(201);
        const taskId = task.json<{ id: number }>().id;
        await server.storage.logs.appendOutput({ taskId, epoch: 1, first: 1, offset: 10, lines: [[1, 'a line']] });
      }
    })();
    const files = (isWholeRun() ? [1, 2, 3] : [1]).map((number) => join(location.folder, `${number}.backup`));
    for (const file of files) expect(await backupOf(location, file)).toMatchObject({ code: 0 });
    writing = false;
    await writer;
    await server.stop();
    for (const file of files) {
      const other = await makeLocation();
      writeFileSync(join(other.folder, 'encryption.key'), readFileSync(join(location.folder, 'encryption.key')));
      const restored = await signalbox(other, 'restore', file).ended;
      expect(restored, restored.output).toMatchObject({ code: 0 });
      const { state, logs } = await snapshotOf(other);
      const tasks = state.rows.task?.length ?? 0;
      expect(tasks).toBeGreaterThan(0);
      // Each task gets a log before the next one is created, so state and logs belong together.
      expect([0, 1]).toContain(tasks - (logs.rows.log_head?.length ?? 0));
      // Each start of a task is recorded in the transaction that creates the task.
      expect(state.rows.event?.filter((row) => row.includes('"object_type":"task"'))).toHaveLength(tasks);
    }
  });

  it('leave either nothing or a complete result when they are killed at any moment', async () => {
    const location = await makeLocation();
    const server = await startTestServer(location);
    const { projectId, template, base } = await sampleProject(await server.signIn());
    await (await server.signIn()).post(`${base}/tasks`, { template_id: await template() });
    await writeLogs(server);
    await writeEvents(server, projectId);
    await server.stop();
    const before = withoutSignIns(await snapshotOf(location));
    const folder = join(location.folder, 'backups');
    mkdirSync(folder);
    const seed = seedOfTest();
    const random = seededRandom(seed);
    const first = performance.now();
    expect((await backupOf(location, join(folder, 'whole.backup'))).code).toBe(0);
    const takes = performance.now() - first;

    for (let round = 0; round < 2; round++) {
      const file = join(folder, `${round}.backup`);
      const backup = signalbox(location, 'backup', '--output', file);
      await delay(takes * (0.4 + 0.7 * random()));
      backup.child.kill('SIGKILL');
      await backup.ended;
      if (!existsSync(file)) continue;
      const there = await makeLocation();
      writeFileSync(join(there.folder, 'encryption.key'), readFileSync(join(location.folder, 'encryption.key')));
      expect((await signalbox(there, 'restore', file).ended).code, `seed ${seed}`).toBe(0);
      expect(await snapshotOf(there)).toEqual(before);
    }

    for (let round = 0; round < 3; round++) {
      const other = await makeLocation();
      writeFileSync(join(other.folder, 'encryption.key'), readFileSync(join(location.folder, 'encryption.key')));
      const restore = signalbox(other, 'restore', join(folder, 'whole.backup'));
      await delay(takes * (0.4 + 0.9 * random()));
      restore.child.kill('SIGKILL');
      await restore.ended;
      // Any command finishes a restore that was killed near its end. Without a restore there is no database.
      await signalbox(other, 'user', 'list').ended;
      await makeEmptyState(other);
      const after = await snapshotOf(other);
      const users = after.state.rows.users ?? [];
      if (users.length > 0) expect(after, `seed ${seed}, round ${round}`).toEqual(before);
      else {
        const more = signalbox(other, 'restore', join(folder, 'whole.backup'), '--force');
        expect((await more.ended).code, `seed ${seed}, round ${round}`).toBe(0);
        expect(await snapshotOf(other)).toEqual(before);
      }
      expect(readdirSync(other.folder).filter((name) => name.startsWith('restore'))).toEqual([]);
    }
  });
});

describeOneEmptyDatabase('[R14] signalbox backup and restore', (makeLocation) => {
  it('refuse to overwrite data, to restore an incomplete backup, and to restore secrets without their key', async () => {
    const location = await makeLocation();
    const server = await startTestServer(location);
    await readingCalls(server, await server.signIn());
    await server.stop();
    const file = join(location.folder, 'all.backup');
    expect((await backupOf(location, file)).code).toBe(0);
    expect(await backupOf(location, file)).toEqual({
      code: 1,
      output: `${file} exists already: name another file, or add --force.\n`,
    });
    expect((await backupOf(location, file, '--force')).code).toBe(0);
    const onto = await signalbox(location, 'restore', file).ended;
    expect(onto).toMatchObject({ code: 1, output: expect.stringContaining('or overwrite it with --force') });

    const other = await makeLocation();
    const keyless = await signalbox(other, 'restore', file).ended;
    expect(keyless).toMatchObject({ code: 1, output: expect.stringContaining('Nothing was changed') });
    const before = await snapshotOf(location);
    truncateSync(file, statSync(file).size - 20);
    const cut = await signalbox(location, 'restore', file, '--force').ended;
    expect(cut).toEqual({ code: 1, output: `${file} is not a Signalbox backup, or it is incomplete.\n` });
    expect(await snapshotOf(location)).toEqual(before);
    writeFileSync(file, 'something else');
    expect((await signalbox(other, 'restore', file).ended).output).toBe(
      `${file} is not a Signalbox backup, or it is incomplete.\n`,
    );
  });

  it('restore no sign-ins, and restore tokens and active schedules only with the flags for them', async () => {
    const location = await makeLocation();
    const server = await startTestServer(location);
    const admin = await server.signIn();
    const { base, template } = await sampleProject(admin);
    const cron = { template_id: await template(), cron_format: '0 3 * * *' };
    const schedule = (await admin.post(`${base}/schedules`, cron)).json<{ id: number }>().id;
    const token = (await admin.post('/user/tokens', {})).json<{ id: string }>().id;
    const files = { plain: join(location.folder, 'plain.backup'), tokens: join(location.folder, 'tokens.backup') };
    expect((await backupOf(location, files.plain)).code).toBe(0);
    expect((await backupOf(location, files.tokens, '--with-tokens')).code).toBe(0);
    await server.stop();

    const statuses = async (file: string, ...flags: string[]) => {
      const other = await makeLocation();
      writeFileSync(join(other.folder, 'encryption.key'), readFileSync(join(location.folder, 'encryption.key')));
      const { output } = await signalbox(other, 'restore', file, ...flags).ended;
      const again = await startTestServer(other);
      const answer = async (headers: Record<string, string>) =>
        (await again.anonymous.send({ method: 'GET', url: '/api/user', headers })).statusCode;
      const session = await answer({ cookie: admin.cookie });
      const bearer = await answer({ authorization: `Bearer ${token}` });
      const client = await again.signIn();
      const { active } = (await client.get(`${base}/schedules/${schedule}`)).json<{ active: boolean }>();
      await again.stop();
      return { session, bearer, active, output };
    };
    expect(await statuses(files.plain)).toMatchObject({
      session: 401,
      bearer: 401,
      active: false,
      output: expect.stringMatching(/sign in again.*create new ones.*paused \(1\)/),
    });
    expect(await statuses(files.tokens, '--keep-schedules')).toMatchObject({ session: 401, bearer: 200, active: true });
  });
});
