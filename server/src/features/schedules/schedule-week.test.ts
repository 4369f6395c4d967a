import type { ScheduleWeek } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { describeEachDatabase } from '../../testing/database/databases.ts';
import { scheduledProject } from '../../testing/scheduled-project.ts';

const SCHEDULES = 1000;
const RUNS = 20;

describeEachDatabase('the week of schedules', (makeLocation) => {
  it('has the started tasks, the due times with usual durations, and names overlaps', async () => {
    const { create, tasks, passMinutes, server, client, sample, templateId } = await scheduledProject(
      await makeLocation(),
      '2026-11-24T02:59:30.000Z',
    );
    const { id: nightly } = await create({ cron_format: '0 3 * * *' });
    await passMinutes(1);
    const [task] = await tasks();
    await server.storage.database.autocommit
      .updateTable('task')
      .set({ status: 'success', start_time: '2026-11-24T03:00:10.000Z', end_time: '2026-11-24T04:00:10.000Z' })
      .where('id', '=', task?.id ?? 0)
      .execute();
    const { id: other } = await create({ cron_format: '30 3 * * *', name: 'Other' });
    const { id: paused } = await create({ cron_format: '@daily', name: 'Paused', active: false });
    const { id: often } = await create({ cron_format: '@hourly', name: 'Often' });
    const week = async (from: string, to: string) =>
      await client.get(`${sample.base}/schedules/week?from=${from}&to=${to}`);
    const answer = await week('2026-11-23T00:00:00Z', '2026-11-30T00:00:00Z');
    const { blocks, frequent, more } = answer.json<ScheduleWeek>();
    expect(more).toBe(false);
    expect(frequent).toEqual([{ schedule_id: often, seconds: 3600 }]);
    expect(blocks.filter(({ schedule_id }) => schedule_id === nightly)).toEqual([
      {
        ...{ schedule_id: nightly, time: '2026-11-24T03:00:10.000Z', seconds: 3600, overlaps: null },
        ...{ task_id: task?.id, status: 'success', state: 'started', freeze: null },
      },
      ...['25', '26', '27', '28', '29'].map((day) => ({
        ...{ schedule_id: nightly, time: `2026-11-${day}T03:00:00.000Z`, seconds: 3600, overlaps: null },
        ...{ task_id: null, status: null, state: 'planned', freeze: null },
      })),
    ]);
    expect(blocks.filter(({ schedule_id }) => schedule_id === paused)).toMatchObject(
      ['25', '26', '27', '28', '29'].map((day) => ({ time: `2026-11-${day}T00:00:00.000Z`, state: 'paused' })),
    );
    // It begins while the task of the other schedule of the same template still runs.
    expect(blocks.filter(({ schedule_id }) => schedule_id === other).map(({ overlaps }) => overlaps)).toEqual(
      Array(6).fill(nightly),
    );
    // On the same inventory too, unless the schedule has another one.
    const adjacent = await sample.template({ name: 'Adjacent', prompts: { inventory_id: 'any' } });
    const hosts = { name: 'Elsewhere', type: 'static', inventory: 'a', ssh_key_id: sample.keyId };
    const elsewhere = await client.post(`${sample.base}/inventory`, hosts);
    const { id: same } = await create({ cron_format: '15 3 * * *', name: 'Same', template_id: adjacent });
    const launch_values = { inventory_id: elsewhere.json<{ id: number }>().id };
    const { id: apart } = await create({
      cron_format: '20 3 * * *',
      name: 'Apart',
      template_id: adjacent,
      launch_values,
    });
    const { blocks: placed } = (await week('2026-11-25T00:00:00Z', '2026-11-26T00:00:00Z')).json<ScheduleWeek>();
    const overlapOf = (schedule: number) => placed.find(({ schedule_id }) => schedule_id === schedule)?.overlaps;
    expect([overlapOf(same), overlapOf(apart)]).toEqual([nightly, null]);
    await client.del(`${sample.base}/schedules/${same}`);
    await client.del(`${sample.base}/schedules/${apart}`);
    expect(templateId).toBeGreaterThan(0);
    expect((await client.get(`${sample.base}/schedules/outcomes`)).json()).toEqual([
      {
        schedule_id: nightly,
        tasks: [
          {
            ...{ id: task?.id, status: 'success' },
            ...{ start: '2026-11-24T03:00:10.000Z', end: '2026-11-24T04:00:10.000Z' },
          },
        ],
      },
    ]);
    const build = await sample.template({ type: 'build', start_version: '1' });
    const deploy = await sample.template({ type: 'deploy', build_template_id: build });
    const { id: failing } = await create({ cron_format: '@hourly', template_id: deploy, name: 'Failing' });
    await passMinutes(60);
    const hour = await week('2026-11-24T04:00:00Z', '2026-11-24T04:30:00Z');
    expect(hour.json<ScheduleWeek>().blocks.filter(({ schedule_id }) => schedule_id === failing)).toMatchObject([
      { time: '2026-11-24T04:00:00.000Z', seconds: null, task_id: null, state: 'not_started', overlaps: null },
    ]);
    for (const [from, to] of [
      ['2026-11-23T00:00:00Z', '2026-12-02T00:00:00Z'],
      ['2026-11-23T00:00:00Z', '2026-11-23T00:00:00Z'],
      ['soon', '2026-11-23T00:00:00Z'],
    ] as const)
      expect((await week(from, to)).statusCode).toBe(400);
  });

  it('names the freeze window that holds or skips a due time, only where it freezes the template', async () => {
    const { client, sample, create, passMinutes, templateId, tasks } = await scheduledProject(
      await makeLocation(),
      '2026-11-25T11:58:30.000Z',
    );
    const quick = await sample.template({ name: 'Quick' });
    const [frozen, free] = [
      await create({ cron_format: '0 12 * * *', name: 'Frozen' }),
      await create({ cron_format: '0 12 * * *', name: 'Free', template_id: quick }),
    ];
    const add = async (window: object) =>
      (await client.post(`${sample.base}/freeze_windows`, { reason: 'Counting', ...window })).json<{ id: number }>().id;
    const count = await add({
      ...{ name: 'Count', template_id: templateId, starts_at: '2026-11-25T10:00:00Z', ends_at: '2026-11-25T13:14:00Z' },
    });
    const weekend = await add({
      ...{ name: 'Weekend', cron_format: '0 18 * * 5', timezone: 'UTC', duration_seconds: 216_000 },
      scheduled_runs: 'skip',
    });
    const week = async () =>
      (
        await client.get(`${sample.base}/schedules/week?from=2026-11-23T00:00:00Z&to=2026-11-30T00:00:00Z`)
      ).json<ScheduleWeek>();
    const freezesOf = ({ blocks }: ScheduleWeek, schedule: number) =>
      blocks
        .filter(({ schedule_id }) => schedule_id === schedule)
        .map(({ time, freeze }) => [time.slice(8, 13), freeze]);
    const held = { window_id: count, until: '2026-11-25T13:14:00.000Z', held: true };
    // The window of the weekend ends after the week.
    const skipped = { window_id: weekend, until: '2026-11-30T06:00:00.000Z', held: false };
    const rest = [
      ['26T12', null],
      ['27T12', null],
      ['28T12', skipped],
      ['29T12', skipped],
    ];
    const before = await week();
    expect(freezesOf(before, frozen.id)).toEqual([['25T12', held], ...rest]);
    expect(freezesOf(before, free.id)).toEqual([['25T12', null], ...rest]);
    expect(before.blocks.map(({ overlaps }) => overlaps)).toEqual(Array(10).fill(null));
    // Its due time has passed, and its run is still held.
    await passMinutes(3);
    expect([(await tasks()).length, (await tasks(quick)).length]).toEqual([0, 1]);
    expect(freezesOf(await week(), frozen.id)).toEqual([['25T12', held], ...rest]);
  });

  it('of a thousand schedules is answered with bounded work', async () => {
    const { server, client, sample, create } = await scheduledProject(await makeLocation(), '2026-11-24T02:59:30.000Z');
    const { id } = await create({ cron_format: '0 3 * * *', own_timezone: 'Europe/Berlin' });
    const { database } = server.storage;
    const { id: _, ...row } = await database.read
      .selectFrom('schedule')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const copies = Array.from({ length: SCHEDULES - 1 }, (_unused, n) => ({
      ...row,
      cron_format: n % 10 === 0 ? `*/${(n % 29) + 1} * * * *` : `${n % 60} ${n % 24} * * *`,
    }));
    for (let n = 0; n < copies.length; n += 50)
      await database.autocommit
        .insertInto('schedule')
        .values(copies.slice(n, n + 50) as never)
        .execute();
    for (const name of ['Nights', 'Evenings'])
      await client.post(`${sample.base}/freeze_windows`, {
        ...{ name, reason: 'Backups', cron_format: '0 1 * * *', duration_seconds: 7200 },
      });
    const milliseconds: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      const begin = process.cpuUsage();
      const answer = await client.get(
        `${sample.base}/schedules/week?from=2026-11-23T00:00:00Z&to=2026-11-30T00:00:00Z`,
      );
      const { user, system } = process.cpuUsage(begin);
      milliseconds.push((user + system) / 1000);
      const { blocks, frequent, more } = answer.json<ScheduleWeek>();
      expect([blocks.length, frequent.length, more]).toEqual([5000, 100, true]);
    }
    // Time of the processor, because other tests share it: usually 30 ms.
    expect(Math.min(...milliseconds)).toBeLessThan(200);
  });
});
