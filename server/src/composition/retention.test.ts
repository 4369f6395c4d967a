import { DAY_MS } from '@signalbox/contract/limits';
import { expect, it } from 'vitest';
import { insertEvent, SYSTEM } from '../audit/record-event.ts';
import { LOCK, type StateTransaction } from '../database/database.ts';
import { unfixedRuns } from '../features/failures/unfixed-runs.ts';
import type { Retention } from '../features/retention/retention-settings.ts';
import { RetentionSweeper } from '../features/retention/retention-sweeper.ts';
import { removeTasks } from '../features/tasks/task-removal.ts';
import { describeEachDatabase, describeRemoteDatabase, type TestLocation } from '../testing/database/databases.ts';
import { sampleProject } from '../testing/sample-project.ts';
import { storeFailure, storeReached } from '../testing/stored-failure.ts';
import { startTestServer } from '../testing/test-server.ts';

const NOW = Date.parse('2026-11-21T10:00:00.000Z');
const FOR_EVER: Retention = { tasksDays: 0, logsDays: 0, leastTasks: 1 };

const setUp = async (location: TestLocation) => {
  const server = await startTestServer(location);
  const client = await server.signIn();
  const sample = await sampleProject(client);
  const { database, logs } = server.storage;
  /** Creates a task that ended some days ago, with a log of one line. */
  const task = async (templateId: number, daysAgo: number, more: object = { status: 'success' }): Promise<number> => {
    const at = new Date(NOW - daysAgo * DAY_MS).toISOString();
    const { id } = await database.autocommit
      .insertInto('task')
      .values({
        project_id: sample.projectId,
        template_id: templateId,
        user_id: 1,
        status: 'success',
        message: '',
        version: null,
        tpl_type: '',
        tpl_alias: 'Template',
        tpl_playbook: 'site.yml',
        build_task_id: null,
        arguments: '[]',
        environment: '{}',
        limit_hosts: '',
        debug: 0,
        dry_run: 0,
        diff: 0,
        created: at,
        ...more,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await database.autocommit.updateTable('task').set({ end_time: at }).where('id', '=', id).execute();
    await logs.appendOutput({ taskId: id, epoch: 1, first: 1, lines: [[NOW, `line of ${id}`]], offset: 1 });
    await logs.appendResults({
      taskId: id,
      epoch: 1,
      first: 1,
      records: [{ kind: 'play', at: NOW, play: 1, name: `${id}`, line: 1, hosts: 1 }],
    });
    await logs.closeLog(id);
    return id;
  };
  const sweeper = (system: Partial<Retention>, change: object = {}) => {
    const clock = { now: () => new Date(NOW), monotonic: () => 0, sinceBoot: () => 0, after: () => () => undefined };
    const onError = (error: unknown) => {
      throw error;
    };
    return new RetentionSweeper({
      database,
      unfixedRuns: (templateId) => unfixedRuns(database, templateId),
      clock,
      system: { ...FOR_EVER, ...system },
      keepEventsDays: 0,
      removeTasks: (tx: StateTransaction, ids: readonly number[]) => removeTasks(tx, ids, { skipKept: true }),
      logsQueued: () => undefined,
      onError,
      ...change,
    });
  };
  const sweep = (system: Partial<Retention>) => sweeper(system).sweep();
  const stored = async () =>
    (await database.read.selectFrom('task').select('id').orderBy('id').execute()).map((t) => t.id);
  const withoutLog = async () =>
    (await database.read.selectFrom('task').select('id').where('log_removed', '=', 1).orderBy('id').execute()).map(
      (t) => t.id,
    );
  // PostgreSQL returns deleted rows in any order, and they are queued in that order.
  const queued = async () =>
    (await database.read.selectFrom('outbox').select('task_id').orderBy('task_id').execute()).map((row) => row.task_id);
  const events = async () =>
    (await client.get(`${sample.base}/events/last`))
      .json<{ description: string }[]>()
      .map(({ description }) => description)
      .filter((text) => text.includes('removed'));
  const endedOf = (id: number, template_id: number) => ({
    ...{ id, project_id: sample.projectId, template_id, ended: new Date(NOW).toISOString() },
  });
  return { endedOf, server, client, sample, database, logs, task, sweep, sweeper, stored, withoutLog, queued, events };
};

describeEachDatabase('retention', (makeLocation) => {
  it('keeps everything by default, and the newest tasks of each template regardless of their age', async () => {
    const { sample, task, sweep, sweeper, stored, queued, events } = await setUp(await makeLocation());
    const [a, b] = [await sample.template(), await sample.template()];
    const ids = [await task(a, 400), await task(a, 300), await task(a, 200), await task(b, 500), await task(a, 1)];
    await sweep({});
    expect(await stored()).toEqual(ids);
    const three = sweeper({ tasksDays: 30, leastTasks: 3 });
    await three.sweep();
    expect(three.next?.getTime()).toBe(NOW + 3_600_000);
    expect(await stored()).toEqual(ids.slice(1));
    await sweep({ tasksDays: 30, leastTasks: 1 });
    // The newest task of b is 500 days old.
    expect(await stored()).toEqual([ids[3], ids[4]]);
    expect(await queued()).toEqual(ids.slice(0, 3));
    expect(await events()).toEqual([
      '2 tasks removed: older than what is to be kept',
      '1 task removed: older than what is to be kept',
    ]);
  });

  it('deletes events after the configured number of days, but not those that the audit export has not sent', async () => {
    const { database, sweeper } = await setUp(await makeLocation());
    const { autocommit, read } = database;
    await autocommit.insertInto('audit_destination').values({ name: 'file', created: '' }).execute();
    const at = (days: number) => new Date(NOW - days * DAY_MS);
    const record = (id: number, days: number) =>
      database.write((tx) =>
        insertEvent(tx, {
          ...{ kind: 'runner.created', params: { name: `${id}` }, actor: SYSTEM, projectId: null },
          ...{ objectType: 'runner', objectId: id, objectName: `${id}`, at: at(days) },
        }),
      );
    await autocommit.deleteFrom('event').execute();
    for (const [index, days] of [40, 31, 30, 1].entries()) await record(index + 1, days);
    await sweeper({}, { keepEventsDays: 30 }).sweep();
    expect(
      (await read.selectFrom('event').select('object_id').orderBy('id').execute()).map((row) => row.object_id),
    ).toEqual([3, 4]);
    expect(await read.selectFrom('audit_entry').select('id').execute()).toHaveLength(4);
  });

  it('removes tasks after exactly the configured number of days, except active tasks and those that they need', async () => {
    const { sample, task, sweep, stored } = await setUp(await makeLocation());
    const template = await sample.template();
    const at = (ms: number) => 30 + ms / DAY_MS;
    const old = await task(template, at(1));
    const kept = [
      await task(template, at(0)),
      await task(template, 90, { status: 'running' }),
      await task(template, 90, { status: 'waiting' }),
      await task(template, 90),
    ];
    kept.push(await task(template, 80, { status: 'starting', build_task_id: kept[3] }), await task(template, 1));
    await sweep({ tasksDays: 30 });
    expect(await stored()).toEqual(kept);
    expect(await stored()).not.toContain(old);
  });

  it('removes logs permanently, keeps their results, and records an event', async () => {
    const { client, sample, task, sweep, logs, withoutLog, queued, events, server } = await setUp(await makeLocation());
    const template = await sample.template();
    const [old, newer, newest] = [await task(template, 40), await task(template, 5), await task(template, 1)];
    await sweep({ logsDays: 7 });
    expect(await withoutLog()).toEqual([old]);
    expect(await queued()).toEqual([old]);
    const path = `${sample.base}/tasks/${old}`;
    // Checked before the log is removed: the API and the event must agree already.
    const check = async () => {
      expect((await client.get(path)).json()).toMatchObject({
        ...{ log_removed: true, status: 'success' },
        log_removal: { at: new Date(NOW).toISOString(), days: 7, set_by: 'system' },
      });
      expect((await client.get(`${path}/lines`)).json()).toEqual({
        ...{ first: 1, total: 0, sealed: true, missing: 0, lines: [] },
      });
      const text = 'The log was removed on 2026-11-21: logs are kept for 7 days.';
      expect((await client.get(`${path}/output`)).json()).toMatchObject([{ output: text, source: 'server' }]);
      expect((await client.get(`${path}/raw_output`)).body).toBe(`[signalbox] ${text}\n`);
      expect((await client.get(`${path}/results`)).json()).toMatchObject({ total: 1, records: [{ name: `${old}` }] });
    };
    await check();
    server.outbox.wake();
    await server.outbox.idle();
    expect(await logs.storedLines(old)).toBe(0);
    await check();
    for (const id of [newer, newest]) {
      expect((await client.get(`${sample.base}/tasks/${id}`)).json()).toMatchObject({ log_removed: false });
      expect((await client.get(`${sample.base}/tasks/${id}/raw_output`)).body).toBe(`line of ${id}\n`);
    }
    await sweep({ logsDays: 7 });
    expect(await queued()).toEqual([]);
    await sweep({ logsDays: 3 });
    expect(await withoutLog()).toEqual([old, newer]);
    expect(await events()).toEqual(Array(2).fill('1 log removed: older than what is to be kept'));
  });

  it('also removes the log of a task that ended after tasks that were started later', async () => {
    const { sample, task, sweep, withoutLog } = await setUp(await makeLocation());
    const template = await sample.template();
    const [long, short] = [await task(template, 5), await task(template, 10)];
    await task(template, 1);
    await sweep({ logsDays: 7 });
    expect(await withoutLog()).toEqual([short]);
    await sweep({ logsDays: 3 });
    expect(await withoutLog()).toEqual([long, short]);
  });

  it('uses the settings of a template instead of those of the system', async () => {
    const { sample, task, sweep, stored, withoutLog } = await setUp(await makeLocation());
    const ever = await sample.template({ keep_tasks_days: 0, keep_logs_days: 0 });
    const short = await sample.template({ keep_tasks_days: 10, keep_tasks_min: 2, keep_logs_days: 5 });
    const ids = [await task(ever, 99), await task(ever, 98), await task(ever, 97)];
    const mine = [await task(short, 12), await task(short, 8), await task(short, 7), await task(short, 6)];
    await sweep({ tasksDays: 30, logsDays: 30 });
    expect(await stored()).toEqual([...ids, ...mine.slice(1)]);
    expect(await withoutLog()).toEqual([mine[1]]);
  });

  it('uses the settings of a project for its templates without their own, and names them as the reason', async () => {
    const { client, sample, task, sweep, stored, withoutLog } = await setUp(await makeLocation());
    const body = { keep_tasks_days: 50, keep_logs_days: 20, keep_tasks_min: 2 };
    expect((await client.put(sample.base, body)).statusCode).toBe(204);
    const [own, other] = [await sample.template({ keep_logs_days: 35 }), await sample.template()];
    const ofOwn = [await task(own, 40), await task(own, 30), await task(own, 2), await task(own, 1)];
    const ofOther = [await task(other, 60), await task(other, 30), await task(other, 10), await task(other, 9)];
    await sweep({ tasksDays: 5, logsDays: 5, leastTasks: 1 });
    expect(await stored()).toEqual([...ofOwn, ...ofOther.slice(1)]);
    expect(await withoutLog()).toEqual([ofOwn[0], ofOther[1]]);
    const removalOf = async (id = 0) => (await client.get(`${sample.base}/tasks/${id}`)).json().log_removal;
    expect(await removalOf(ofOwn[0])).toMatchObject({ days: 35, set_by: 'template' });
    expect(await removalOf(ofOther[1])).toMatchObject({ days: 20, set_by: 'project' });
  });

  it('keeps the last failure and the last success of a template with their logs', async () => {
    const { sample, task, sweep, stored, withoutLog } = await setUp(await makeLocation());
    const template = await sample.template();
    const error = { status: 'error' };
    const [older] = [await task(template, 90, error), await task(template, 80)];
    const real = await task(template, 70);
    const failure = await task(template, 60, error);
    const dry = await task(template, 50, { dry_run: 1 });
    const stopped = [await task(template, 40, { status: 'stopped' }), await task(template, 30, { status: 'stopped' })];
    await sweep({ logsDays: 7 });
    expect(await withoutLog()).toEqual([older, older + 1, stopped[0]]);
    await sweep({ tasksDays: 7 });
    expect(await stored()).toEqual([real, failure, dry, stopped[1]]);
    const newer = await task(template, 6, error);
    await task(template, 1);
    await sweep({ logsDays: 7, tasksDays: 65 });
    expect(await stored()).toEqual([failure, dry, stopped[1], newer, newer + 1]);
    expect(await withoutLog()).toEqual([failure, dry, stopped[1]]);
  });

  it('keeps tasks that a user keeps, until the user no longer does', async () => {
    const { client, sample, task, sweep, stored, withoutLog, database } = await setUp(await makeLocation());
    const template = await sample.template();
    const [kept, other] = [await task(template, 90), await task(template, 80)];
    const last = await task(template, 1);
    const url = `${sample.base}/tasks/${kept}/keep`;
    for (const body of [{ kept: true }, { kept: true }]) expect((await client.put(url, body)).statusCode).toBe(204);
    expect((await client.get(`${sample.base}/tasks/${kept}`)).json()).toMatchObject({ kept: true });
    const descriptions = async () =>
      (await client.get(`${sample.base}/events/last`))
        .json<{ kind: string }[]>()
        .filter(({ kind }) => kind.includes('kept'));
    expect(await descriptions()).toMatchObject([{ kind: 'task.kept' }]);
    await sweep({ tasksDays: 30, logsDays: 7 });
    expect(await stored()).toEqual([kept, last]);
    expect(await withoutLog()).toEqual([]);
    // Kept after the sweep had found it.
    expect(await database.write((tx) => removeTasks(tx, [kept], { skipKept: true }))).toEqual([]);
    await client.put(url, { kept: false });
    await sweep({ tasksDays: 30 });
    expect(await stored()).toEqual([last]);
    expect((await client.put(`${sample.base}/tasks/${other}/keep`, { kept: true })).statusCode).toBe(404);
  });

  it('keeps the runs that notes about failures are about, and the builds that were deployed last', async () => {
    const { client, sample, task, sweep, stored, database, endedOf } = await setUp(await makeLocation());
    const template = await sample.template();
    const build = await sample.template({ type: 'build', start_version: '1.0' });
    const deploy = await sample.template({ type: 'deploy', build_template_id: build });
    const noted = await task(template, 90, { status: 'error' });
    const failures = [noted, await task(template, 89, { status: 'error' })];
    const fixing = await task(template, 2, { status: 'error' });
    await storeFailure(database, endedOf(fixing, template), 'another failure', 'web-2');
    const builds = [await task(build, 88), await task(build, 87), await task(build, 2)];
    const deployed = await task(deploy, 86, { build_task_id: builds[0] });
    for (const [index, id] of failures.entries())
      await storeFailure(database, endedOf(id, template), `failure ${index}`, 'web-1');
    await storeReached(database, fixing, 'web-1');
    const note = { note: 'The line is being replaced.' };
    await database.autocommit.updateTable('failure').set(note).where('title', '=', 'failure 0').execute();
    await sweep({ tasksDays: 30 });
    expect(await stored()).toEqual([noted, fixing, builds[0], builds[2], deployed]);
    expect((await client.get(`${sample.base}/tasks/${deployed}`)).json()).toMatchObject({ build_task_id: builds[0] });
  });

  it('keeps the last run with each failure that no later run on its host fixed, also after other failed runs', async () => {
    const { sample, task, sweep, withoutLog, database, endedOf } = await setUp(await makeLocation());
    const template = await sample.template();
    const error = { status: 'error' };
    const older = await task(template, 90, error);
    const failing = await task(template, 80, error);
    for (const id of [older, failing]) await storeFailure(database, endedOf(id, template), 'apt is locked', 'web-1');
    const unreached = await task(template, 70, error);
    const elsewhere = await task(template, 60, error);
    await storeFailure(database, endedOf(elsewhere, template), 'No such user', 'db-1');
    const newest = await task(template, 50, error);
    await sweep({ logsDays: 30 });
    expect(await withoutLog()).toEqual([older, unreached]);
    await storeFailure(database, endedOf(newest, template), 'No such user', 'db-1');
    await storeReached(database, newest, 'web-1');
    await sweep({ logsDays: 30 });
    expect(await withoutLog()).toEqual([older, failing, unreached, elsewhere]);
  });

  it('removes many tasks in small steps and records one event for all of them', async () => {
    const { sample, task, sweep, stored, events } = await setUp(await makeLocation());
    const template = await sample.template();
    for (let index = 0; index < 230; index++) await task(template, 300 - index);
    const last = await task(template, 60);
    await sweep({ tasksDays: 10 });
    expect(await stored()).toEqual([last]);
    expect(await events()).toEqual(['230 tasks removed: older than what is to be kept']);
  });

  it('records what was removed before an error, and the next sweep removes the rest', async () => {
    const { sample, task, sweep, sweeper, stored, queued, events, database, logs, server } = await setUp(
      await makeLocation(),
    );
    const template = await sample.template();
    for (let index = 0; index < 130; index++) await task(template, 300 - index);
    const last = await task(template, 60);
    const before = await stored();
    let steps = 0;
    const errors: unknown[] = [];
    const cut = sweeper(
      { tasksDays: 10 },
      {
        removeTasks: async (tx: StateTransaction, ids: readonly number[]) => {
          const removed = await removeTasks(tx, ids, { skipKept: true });
          if (++steps === 2) throw new Error('the power went');
          return removed;
        },
        onError: (error: unknown) => errors.push(error),
      },
    );
    await cut.sweep();
    expect(errors).toHaveLength(1);
    expect(await stored()).toEqual(before.slice(100));
    expect(await queued()).toEqual(before.slice(0, 100));
    expect(await events()).toEqual(['100 tasks removed: older than what is to be kept']);
    await sweep({ tasksDays: 10 });
    expect(await stored()).toEqual([last]);
    server.outbox.wake();
    await server.outbox.idle();
    expect(await database.read.selectFrom('outbox').selectAll().execute()).toEqual([]);
    const heads = await Promise.all(before.map(async (id) => (await logs.head(id)).next_line));
    expect(heads).toEqual(before.map((id) => (id === last ? 2 : 1)));
  });

  it('stops between two steps at a shutdown, and never runs twice at the same time', async () => {
    const { sample, task, sweeper, stored, events } = await setUp(await makeLocation());
    const template = await sample.template();
    for (let index = 0; index < 130; index++) await task(template, 300 - index);
    await task(template, 60);
    let steps = 0;
    let stopped: Promise<void> | undefined;
    const one = sweeper(
      { tasksDays: 10 },
      {
        removeTasks: (tx: StateTransaction, ids: readonly number[]) => {
          if (++steps === 1) stopped = one.stop();
          return removeTasks(tx, ids, { skipKept: true });
        },
      },
    );
    await Promise.all([one.sweep(), one.sweep()]);
    await stopped;
    expect(steps).toBe(1);
    expect(await stored()).toHaveLength(31);
    expect(await events()).toEqual(['100 tasks removed: older than what is to be kept']);
  });
});

describeRemoteDatabase('retention with several servers', (makeLocation) => {
  it('runs on one server at a time', async () => {
    const { database, sample, task, sweep, stored } = await setUp(await makeLocation());
    const template = await sample.template();
    const ids = [await task(template, 50), await task(template, 40)];
    await database.alone(async () => {
      await sweep({ tasksDays: 10 });
      expect(await stored()).toEqual(ids);
    }, LOCK.retention);
    await sweep({ tasksDays: 10 });
    expect(await stored()).toEqual(ids.slice(1));
  });
});
