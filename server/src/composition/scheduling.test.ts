import { expect, it } from 'vitest';
import { describeOneDatabase } from '../testing/database/databases.ts';
import { scheduledProject } from '../testing/scheduled-project.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describeOneDatabase('[R7] a schedule', (makeLocation) => {
  it('starts a task of its template at each due time and is shown as its origin', async () => {
    const { create, tasks, passMinutes, read, server, client, sample } = await scheduledProject(
      await makeLocation(),
      '2026-11-21T10:00:30.000Z',
    );
    const { id } = await create({ cron_format: '*/15 * * * *' });
    await passMinutes(14);
    expect(await tasks()).toEqual([]);
    await passMinutes(31);
    expect(await tasks()).toMatchObject([
      { created: '2026-11-21T10:15:30.000Z', status: 'waiting', user_id: null, user_name: '', schedule_id: id },
      { created: '2026-11-21T10:30:30.000Z' },
      { created: '2026-11-21T10:45:30.000Z', message: '', schedule_name: 'Nightly', runner_id: null },
    ]);
    expect(await read(id)).toMatchObject({
      last_fired: '2026-11-21T10:45:30.000Z',
      next_times: [expect.stringContaining('T11:00:00.000Z'), ...Array(4).fill(expect.any(String))],
    });
    const [event] = (await client.get(`${sample.base}/events/last`)).json<object[]>();
    expect(event).toMatchObject({
      object_type: 'task',
      user_id: null,
      description: expect.stringContaining('Patch started by schedule Nightly'),
    });
    await server.stop();
  });

  it('starts its task at the due time without waiting for a poll', async () => {
    const { create, tasks, clock, server } = await scheduledProject(await makeLocation(), '2026-11-21T10:00:58.000Z');
    await create({ cron_format: '* * * * *' });
    clock.pass(1_999);
    await server.schedules.quiet();
    expect(await tasks()).toEqual([]);
    clock.pass(1);
    await server.schedules.quiet();
    expect(await tasks()).toMatchObject([{ created: '2026-11-21T10:01:00.000Z' }]);
  });

  it('starts its task up to 5 minutes late if no server was running at the due time', async () => {
    const { create, tasks, events, stop, restart, clock } = await scheduledProject(
      await makeLocation(),
      '2026-11-21T02:59:00.000Z',
    );
    await create({ cron_format: '0 3 * * *' });
    await stop();
    clock.pass(4 * MINUTE);
    await restart();
    expect(await tasks()).toHaveLength(1);
    expect(await events()).toEqual(['Schedule Nightly created']);
    await restart();
    expect(await tasks()).toHaveLength(1);
  });

  it('starts no task more than 5 minutes late, and records an event', async () => {
    const { create, tasks, events, read, stop, restart, clock } = await scheduledProject(
      await makeLocation(),
      '2026-11-21T02:59:00.000Z',
    );
    const { id } = await create({ cron_format: '0 3 * * *' });
    await stop();
    clock.pass(7 * MINUTE);
    await restart();
    expect(await tasks()).toEqual([]);
    expect((await events()).at(-1)).toBe('Schedule Nightly of Patch missed 1 due time, at 2026-11-21 03:00 UTC');
    expect(await read(id)).toMatchObject({
      last_fired: null,
      next_times: [expect.stringContaining('11-22T03:00'), ...Array(4).fill(expect.any(String))],
    });
    await restart();
    expect(await events()).toHaveLength(2);
  });

  it('records one event for a week of missed due times, and starts tasks for the due times of the last minutes', async () => {
    const { create, tasks, events, stop, restart, clock, passMinutes } = await scheduledProject(
      await makeLocation(),
      '2026-11-21T10:00:00.000Z',
      { SIGNALBOX_TIMEZONE: 'Europe/Berlin' },
    );
    await create({ cron_format: '0 3 * * *' });
    await create({ cron_format: '* * * * *', name: '' });
    await stop();
    clock.pass(7 * 24 * HOUR + 30_000);
    await restart();
    expect(await tasks()).toHaveLength(5);
    expect((await events()).slice(2).toSorted()).toEqual([
      'Schedule * * * * * of Patch missed more than 1000 due times, the last at 2026-11-28 10:55 Europe/Berlin',
      'Schedule Nightly of Patch missed 7 due times, the last at 2026-11-28 03:00 Europe/Berlin',
    ]);
    await passMinutes(2);
    expect(await tasks()).toHaveLength(7);
  });

  it('runs a daily job once when daylight saving time skips its hour, and once when it repeats the hour', async () => {
    const location = await makeLocation();
    const berlin = { SIGNALBOX_TIMEZONE: 'Europe/Berlin' };
    const { create, tasks, clock, server, passMinutes, restart } = await scheduledProject(
      location,
      '2026-03-29T00:30:00.000Z',
      berlin,
    );
    await create({ cron_format: '30 2 * * *' });
    await passMinutes(120);
    expect(await tasks()).toMatchObject([{ created: '2026-03-29T01:00:00.000Z' }]);
    await server.stop();
    clock.pass(Date.parse('2026-10-24T12:00:00.000Z') - clock.now().getTime());
    await restart();
    await passMinutes(18 * 60);
    expect((await tasks()).slice(1)).toMatchObject([{ created: '2026-10-25T00:30:00.000Z' }]);
  }, 60_000);

  it('starts no task and records no missed due time while it is paused', async () => {
    const { create, tasks, events, read, passMinutes, restart } = await scheduledProject(
      await makeLocation(),
      '2026-11-21T10:00:30.000Z',
    );
    const { id } = await create({ cron_format: '* * * * *', active: false });
    await passMinutes(10);
    await restart();
    expect(await tasks()).toEqual([]);
    expect(await events()).toHaveLength(1);
    expect(await read(id)).toMatchObject({ active: false, next_times: [] });
  });

  it('starts no task and records an event if its template requires survey answers', async () => {
    const { client, create, events, passMinutes, sample, tasks } = await scheduledProject(
      await makeLocation(),
      '2026-11-21T10:00:30.000Z',
    );
    const asking = await sample.template({ name: 'Asking' });
    await create({ cron_format: '* * * * *', template_id: asking });
    const survey_vars = [{ name: 'host', title: 'Host', required: true }];
    expect((await client.put(`${sample.base}/templates/${asking}`, { survey_vars })).statusCode).toBe(204);
    await passMinutes(2);
    expect(await tasks(asking)).toEqual([]);
    expect((await events()).slice(1)).toEqual([
      'Schedule Nightly of Asking started no task at 2026-11-21 10:01 UTC: Host is required.',
      'Schedule Nightly of Asking started no task at 2026-11-21 10:02 UTC: Host is required.',
    ]);
  });

  it('starts a deploy with the newest successful build, and records an event when there is none', async () => {
    const { create, events, passMinutes, sample, tasks, client, server } = await scheduledProject(
      await makeLocation(),
      '2026-11-21T10:00:30.000Z',
    );
    const build = await sample.template({ type: 'build', start_version: '1.0.0' });
    const deploy = await sample.template({ name: 'Deploy', type: 'deploy', build_template_id: build });
    await create({ cron_format: '* * * * *', template_id: deploy });
    await passMinutes(1);
    expect(await tasks(deploy)).toEqual([]);
    expect((await events()).at(-1)).toBe(
      'Schedule Nightly of Deploy started no task at 2026-11-21 10:01 UTC: There is no successful build to deploy.',
    );
    for (const status of ['success', 'success', 'error'] as const) {
      const { id } = (await client.post(`${sample.base}/tasks`, { template_id: build })).json<{ id: number }>();
      await server.storage.database.autocommit.updateTable('task').set({ status }).where('id', '=', id).execute();
    }
    await passMinutes(1);
    expect(await tasks(deploy)).toMatchObject([{ version: '1.0.1', build_task: { version: '1.0.1' } }]);
  });

  it('keeps its due time when its task cannot be stored, because both are one transaction', async () => {
    const { create, tasks, read, clock, server, templateId } = await scheduledProject(
      await makeLocation(),
      '2026-11-21T10:00:30.000Z',
    );
    const { id } = await create({ cron_format: '* * * * *' });
    const { database } = server.storage;
    const row = () => database.read.selectFrom('schedule').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const before = await row();
    await database.autocommit
      .updateTable('template')
      .set({ survey_vars: 'broken' })
      .where('id', '=', templateId)
      .execute();
    clock.pass(MINUTE);
    await server.schedules.quiet();
    expect(await row()).toEqual(before);
    await database.autocommit.updateTable('template').set({ survey_vars: '[]' }).where('id', '=', templateId).execute();
    clock.pass(5_000);
    await server.schedules.quiet();
    expect(await tasks()).toHaveLength(1);
    expect((await read(id)).last_fired).toBe('2026-11-21T10:01:35.000Z');
  });

  it('uses a new time zone setting', async () => {
    const { create, events, restart, read } = await scheduledProject(await makeLocation(), '2026-11-21T10:00:30.000Z');
    const { id } = await create({ cron_format: '0 3 * * *' });
    await restart({ SIGNALBOX_TIMEZONE: 'Asia/Kolkata' });
    expect((await read(id)).next_times[0]).toBe('2026-11-21T21:30:00.000Z');
    expect((await events()).at(-1)).toBe('Schedule Nightly of Patch goes by Asia/Kolkata now, no more by UTC');
    await restart({ SIGNALBOX_TIMEZONE: 'Asia/Kolkata' });
    expect(await events()).toHaveLength(2);
  });
});

describeOneDatabase('[R16] a schedule when the clock is set', (makeLocation) => {
  const setUp = async () => {
    const project = await scheduledProject(await makeLocation(), '2026-11-21T10:00:30.000Z');
    await project.create({ cron_format: '*/15 * * * *' });
    await project.passMinutes(20);
    expect(await project.tasks()).toHaveLength(1);
    return project;
  };

  it('starts no task twice after the clock was set back by 2 h', async () => {
    const { clock, passMinutes, tasks, events } = await setUp();
    clock.step(-2 * HOUR);
    await passMinutes(2 * 60);
    expect(await tasks()).toHaveLength(1);
    await passMinutes(10);
    expect(await tasks()).toMatchObject([{}, { created: '2026-11-21T10:30:30.000Z' }]);
    expect(await events()).toHaveLength(1);
  }, 30_000);

  it('misses the due times in between after the clock was set forward by 2 h, and repeats none after it is set back', async () => {
    const { clock, passMinutes, tasks, events } = await setUp();
    clock.step(2 * HOUR);
    await passMinutes(1);
    expect(await tasks()).toHaveLength(1);
    expect((await events()).at(-1)).toBe(
      'Schedule Nightly of Patch missed 8 due times, the last at 2026-11-21 12:15 UTC',
    );
    clock.step(-2 * HOUR);
    await passMinutes(2 * 60);
    expect(await tasks()).toHaveLength(1);
    await passMinutes(10);
    expect(await tasks()).toHaveLength(2);
  }, 30_000);

  it('starts no task for skipped or repeated minutes if it is due every minute', async () => {
    const project = await scheduledProject(await makeLocation(), '2026-11-21T10:00:30.000Z');
    const { clock, passMinutes, tasks } = project;
    await project.create({ cron_format: '* * * * *' });
    await passMinutes(1);
    expect(await tasks()).toHaveLength(1);
    for (const hours of [2, -2, 2]) {
      const before = (await tasks()).length;
      clock.step(hours * HOUR);
      await passMinutes(1);
      // After the step forward the next minute is due; after the step back that minute was already handled.
      expect((await tasks()).length - before, `${hours} h`).toBeLessThanOrEqual(1);
    }
    const before = (await tasks()).length;
    await passMinutes(3);
    expect((await tasks()).length - before).toBe(3);
  }, 30_000);

  it('does not wait for a year to which the clock was wrongly set', async () => {
    const { clock, passMinutes, tasks, events } = await setUp();
    clock.step(365 * 24 * HOUR);
    await passMinutes(1);
    clock.step(-365 * 24 * HOUR);
    await passMinutes(1);
    expect((await events()).at(-1)).toBe('Schedule Nightly of Patch goes by the clock again: it had been set ahead');
    expect(await tasks()).toHaveLength(1);
    await passMinutes(10);
    expect(await tasks()).toMatchObject([{}, { created: '2026-11-21T10:30:30.000Z' }]);
  });
});
