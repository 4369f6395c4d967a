import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../database/open-database.ts';
import { claimTasks } from '../dispatch/claim/claim.ts';
import { EVERY_ENVIRONMENT } from '../execution-environments.ts';
import { describeEachDatabase, describeOneDatabase } from '../testing/database/databases.ts';
import { hostNames } from '../testing/database/queue.ts';
import { scheduledProject } from '../testing/scheduled-project.ts';
import { composeScheduling } from './scheduling.ts';

const START = '2026-11-21T10:00:30.000Z';
const ENGINES = 3;

describeOneDatabase('a schedule with other due times than a cron', (makeLocation) => {
  it('starts one task at its moment, and has no due time afterwards', async () => {
    const { create, tasks, passMinutes, read, client, sample } = await scheduledProject(await makeLocation(), START);
    const { id } = await create({ type: 'run_at', run_at: '2026-11-21T12:05:00+02:00' });
    expect(await read(id)).toMatchObject({ type: 'run_at', cron_format: '', next_start: '2026-11-21T10:05:00.000Z' });
    await passMinutes(4);
    expect(await tasks()).toEqual([]);
    await passMinutes(10);
    expect(await tasks()).toMatchObject([{ schedule_id: id }]);
    expect(await read(id)).toMatchObject({ active: true, next_times: [], next_start: null });
    // Another moment makes it start again; a change of its name does not.
    const put = (change: object) => client.put(`${sample.base}/schedules/${id}`, change);
    expect((await put({ name: 'Again' })).statusCode).toBe(204);
    expect((await read(id)).next_times).toEqual([]);
    expect((await put({ run_at: '2026-11-21T11:00:00.000Z' })).statusCode).toBe(204);
    expect((await read(id)).next_times).toEqual(['2026-11-21T11:00:00.000Z']);
  });

  it('starts a task after each interval from its start to its end', async () => {
    const { create, tasks, passMinutes } = await scheduledProject(await makeLocation(), START);
    await create({
      interval_seconds: 180,
      starts_at: '2026-11-21T10:04:00.000Z',
      ends_at: '2026-11-21T10:10:00.000Z',
    });
    await passMinutes(20);
    expect((await tasks()).map(({ created }) => created.slice(11, 16))).toEqual(['10:04', '10:07', '10:10']);
  });

  it('refuses values that do not fit, and names the field', async () => {
    const { client, sample, templateId, create } = await scheduledProject(await makeLocation(), START);
    const post = (input: object) => client.post(`${sample.base}/schedules`, { template_id: templateId, ...input });
    const cron_format = '0 3 * * *';
    const past = '2026-11-21T09:00:00.000Z';
    for (const [field, input] of [
      ['run_at', { run_at: past }],
      ['run_at', { type: 'run_at' }],
      ['run_at', { cron_format, run_at: '2027-01-01T00:00:00Z' }],
      ['interval_seconds', { cron_format, interval_seconds: 60 }],
      ['interval_seconds', { interval_seconds: 59 }],
      ['type', { type: 'cron', interval_seconds: 60 }],
      ['own_timezone', { cron_format, own_timezone: 'Europe/Nowhere' }],
      ['own_timezone', { cron_format: `CRON_TZ=UTC ${cron_format}`, own_timezone: 'Europe/Berlin' }],
      ['ends_at', { cron_format, starts_at: '2027-01-02T00:00:00Z', ends_at: '2027-01-01T00:00:00Z' }],
      ['ends_at', { cron_format, ends_at: past }],
      ['starts_at', { run_at: '2027-01-01T00:00:00Z', starts_at: '2027-01-02T00:00:00Z' }],
      ['jitter_seconds', { cron_format: '* * * * *', jitter_seconds: 60 }],
      ['jitter_seconds', { cron_format, jitter_seconds: 86_401 }],
      ['overlap', { cron_format, overlap: 'parallel' }],
      ['overlap', { cron_format, overlap: 'sometimes' }],
    ] as const) {
      const refused = await post(input);
      expect(refused.statusCode, JSON.stringify(input)).toBe(400);
      expect(Object.keys(refused.json<{ fields: object }>().fields)).toEqual([field]);
    }
    // A change is checked as a whole: a cron that is not cleared conflicts with a moment.
    const { id } = await create({ cron_format });
    const put = (change: object) => client.put(`${sample.base}/schedules/${id}`, change);
    expect((await put({ run_at: '2027-01-01T00:00:00Z' })).statusCode).toBe(400);
    expect((await put({ cron_format: null, run_at: '2027-01-01T00:00:00Z' })).statusCode).toBe(204);
  });

  it('follows its own time zone, also after that of the server was changed', async () => {
    const { create, read, restart, events } = await scheduledProject(await makeLocation(), START);
    const { id } = await create({ cron_format: '0 3 * * *', own_timezone: 'America/New_York' });
    const before = await read(id);
    expect(before).toMatchObject({ timezone: 'America/New_York', next_start: '2026-11-22T08:00:00.000Z' });
    await restart({ SIGNALBOX_TIMEZONE: 'Asia/Tokyo' });
    expect(await read(id)).toEqual(before);
    expect(await events()).toEqual(['Schedule Nightly created']);
  });
});

describeOneDatabase('a schedule whose last task has not ended', (makeLocation) => {
  it('starts no task with overlap skip, records an event, and starts one after that task has ended', async () => {
    const { create, tasks, passMinutes, read, events, client, sample } = await scheduledProject(
      await makeLocation(),
      START,
    );
    const { id } = await create({ cron_format: '* * * * *', overlap: 'skip' });
    await passMinutes(2);
    const [first] = await tasks();
    expect(await tasks()).toHaveLength(1);
    expect(await read(id)).toMatchObject({
      problem: { kind: 'schedule.skipped', time: '2026-11-21T10:02:00.000Z', params: { id: first?.id } },
    });
    expect((await events()).at(-1)).toBe(
      `Schedule Nightly of Patch started no task at 2026-11-21 10:02 UTC, because its task #${first?.id} had not ended`,
    );
    expect((await client.post(`${sample.base}/tasks/${first?.id}/stop`, {})).statusCode).toBe(204);
    await passMinutes(1);
    expect(await tasks()).toHaveLength(2);
    expect(await read(id)).toMatchObject({ problem: null });
  });

  it('lets its tasks wait for each other with overlap queue, even if the template allows parallel tasks', async () => {
    const { create, tasks, passMinutes, server, sample, client } = await scheduledProject(await makeLocation(), START);
    const parallel = await sample.template({ allow_parallel_tasks: true });
    await create({ cron_format: '* * * * *', overlap: 'queue', template_id: parallel });
    await create({ cron_format: '* * * * *', overlap: 'parallel', template_id: parallel });
    await passMinutes(3);
    const { database } = server.storage;
    const { id: runnerId } = await database.autocommit
      .insertInto('runner')
      .values({ name: 'a', token_hash: 'a', slots: 20, created: START })
      .returning('id')
      .executeTakeFirstOrThrow();
    const claim = () =>
      claimTasks(database, { runnerId, tokenHash: 'a', slots: 20, apps: ['ansible'], systemLimit: 0, hostNames });
    const own = (await tasks(parallel)).filter(({ schedule_id }) => schedule_id === 1).map(({ id }) => id);
    expect(own).toHaveLength(3);
    const claimed = (await claim()).map(({ id }) => id);
    expect(claimed).toHaveLength(4);
    expect(claimed.filter((id) => own.includes(id))).toEqual([own[0]]);
    // The next one starts when the first has ended.
    await database.autocommit
      .updateTable('task')
      .set({ status: 'success' })
      .where('id', '=', own[0] ?? 0)
      .execute();
    expect((await claim()).map(({ id }) => id)).toEqual([own[1]]);
    // A template that no longer allows parallel tasks: the schedule that needs them starts none.
    const change = { allow_parallel_tasks: false };
    expect((await client.put(`${sample.base}/templates/${parallel}`, change)).statusCode).toBe(204);
    await passMinutes(1);
    expect((await tasks(parallel)).filter(({ schedule_id }) => schedule_id === 2)).toHaveLength(3);
  });
});

describeEachDatabase('[R7] a schedule with a random delay', (makeLocation) => {
  it('starts each task once on several servers, at the delay that all of them read', async () => {
    const location = await makeLocation();
    const { clock, server, create, tasks, read } = await scheduledProject(location, START);
    await server.schedules.stop();
    const lost: unknown[] = [];
    const engines = Array.from({ length: ENGINES }, () => {
      const database =
        location.databaseUrl === undefined ? server.storage.database : openDatabase({ url: location.databaseUrl });
      if (database !== server.storage.database) onTestFinished(() => database.close());
      return composeScheduling({
        environments: EVERY_ENVIRONMENT,
        database,
        clock,
        timezone: 'UTC',
        newestCommit: () => Promise.resolve(undefined),
        launched: () => undefined,
        onError: (error) => lost.push(error),
      });
    });
    onTestFinished(async () => void (await Promise.all(engines.map((engine) => engine.stop()))));
    const { id } = await create({ cron_format: '*/15 * * * *', jitter_seconds: 800 });
    for (const engine of engines) engine.start();
    const quiet = () => Promise.all(engines.map((engine) => engine.quiet()));
    const expected: string[] = [];
    for (let due = 1; due <= 6; due++) {
      await quiet();
      const start = (await read(id)).next_start as string;
      const delay = Date.parse(start) - Date.parse('2026-11-21T10:00:00.000Z') - due * 15 * 60_000;
      expect(delay).toBeGreaterThanOrEqual(0);
      expect(delay).toBeLessThanOrEqual(800_000);
      expected.push(start);
      clock.pass(Date.parse(start) - clock.now().getTime() - 1);
      await quiet();
      expect(await tasks()).toHaveLength(due - 1);
      clock.pass(1);
      await quiet();
    }
    expect((await tasks()).map(({ created }) => created)).toEqual(expected);
    expect(new Set(expected.map((start) => Date.parse(start) % 900_000)).size).toBeGreaterThan(1);
    expect(lost).toEqual([]);
  });
});
