import type { FreezeWindow } from '@signalbox/contract';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../database/open-database.ts';
import { EVERY_ENVIRONMENT } from '../execution-environments.ts';
import { describeEachDatabase } from '../testing/database/databases.ts';
import { scheduledProject } from '../testing/scheduled-project.ts';
import { composeScheduling } from './scheduling.ts';

describeEachDatabase('[R7] a schedule in a freeze window', (makeLocation) => {
  const setUp = async (settings: Record<string, string> = {}) => {
    const location = await makeLocation();
    const project = await scheduledProject(location, '2026-11-21T00:30:30.000Z', settings);
    const path = (id: number) => `${project.sample.base}/freeze_windows/${id}`;
    const freeze = async (body: object) => {
      const answer = await project.client.post(`${project.sample.base}/freeze_windows`, {
        ...{
          name: 'Backup',
          reason: 'Restore runs',
          starts_at: '2026-11-21T00:00:00Z',
          ends_at: '2026-11-21T03:00:00Z',
        },
        ...body,
      });
      return answer.json<FreezeWindow>().id;
    };
    return { ...project, location, freeze, path };
  };

  it('holds its runs and starts one task at the end of the window', async () => {
    const project = await setUp();
    const { create, freeze, passMinutes, tasks, read, events, sample, templateId } = project;
    const window = await freeze({ template_id: templateId });
    const { id, next_start } = await create({ cron_format: '*/30 * * * *' });
    expect(next_start).toBe('2026-11-21T03:00:00.000Z');
    const elsewhere = await sample.template({ name: 'Other' });
    await create({ cron_format: '0 * * * *', template_id: elsewhere, name: 'Elsewhere' });
    await passMinutes(100);
    expect(await tasks()).toEqual([]);
    expect(await tasks(elsewhere)).toHaveLength(2);
    expect(await read(id)).toMatchObject({
      next_start: '2026-11-21T03:00:00.000Z',
      freeze: { window_id: window, name: 'Backup', reason: 'Restore runs', held: true },
      problem: null,
    });
    await passMinutes(48);
    expect(await tasks()).toEqual([]);
    await passMinutes(3);
    // The due time at the end of the window replaces the held ones.
    expect(await tasks()).toMatchObject([{ schedule_id: id, freeze_window: '' }]);
    expect(await read(id)).toMatchObject({ freeze: null, next_start: '2026-11-21T03:30:00.000Z' });
    expect((await events()).filter((text) => text.includes('freeze window Backup'))).toEqual([
      'Schedule Nightly of Patch holds its run of 2026-11-21 01:00 UTC until the freeze window Backup ends',
    ]);
  });

  it('starts a held run when the window is shortened or deleted, and waits when it becomes longer', async () => {
    const { create, freeze, path, passMinutes, tasks, client, read, server, sample } = await setUp();
    const label = (await client.post(`${sample.base}/labels`, { name: 'prod' })).json<{ id: number }>().id;
    const labelled = await sample.template({ labels: [label] });
    const window = await freeze({ label_id: label });
    const { id } = await create({ cron_format: '0 1 21 11 *', template_id: labelled });
    await passMinutes(40);
    await client.put(path(window), { ends_at: '2026-11-21T04:00:00Z' });
    await server.schedules.quiet();
    expect(await read(id)).toMatchObject({ next_start: '2026-11-21T04:00:00.000Z' });
    await client.put(path(window), { ends_at: '2026-11-21T02:00:00Z' });
    await passMinutes(48);
    expect(await tasks(labelled)).toEqual([]);
    await passMinutes(3);
    expect(await tasks(labelled)).toHaveLength(1);

    const whole = await freeze({ name: 'Whole project' });
    const next = await create({ cron_format: '15 2 * * *', name: 'Second' });
    await passMinutes(20);
    expect((await read(next.id)).freeze?.window_id).toBe(whole);
    expect(await tasks()).toEqual([]);
    await client.del(path(whole));
    await server.schedules.quiet();
    expect(await tasks()).toHaveLength(1);
  });

  it('skips its runs in a window that skips runs, and drops a held run when it is paused', async () => {
    const { create, freeze, passMinutes, tasks, events, read, client, sample } = await setUp();
    await freeze({ inventory_id: sample.inventoryId, scheduled_runs: 'skip', ends_at: '2026-11-21T01:30:00Z' });
    const { id } = await create({ cron_format: '0 1 * * *' });
    expect(await read(id)).toMatchObject({
      ...{ freeze: { held: false }, next_start: '2026-11-21T01:00:00.000Z' },
      next_freezes: [{ name: 'Backup', until: '2026-11-21T01:30:00.000Z', held: false }, null, null, null, null],
    });
    await passMinutes(70);
    expect(await tasks()).toEqual([]);
    const skipped =
      'Schedule Nightly of Patch started no task at 2026-11-21 01:00 UTC, because of the freeze window Backup';
    expect((await events()).at(-1)).toBe(skipped);
    expect((await read(id)).problem).toMatchObject({ kind: 'schedule.skipped_by_freeze' });

    await freeze({ name: 'Later', starts_at: '2026-11-21T01:30:00Z' });
    const held = await create({ cron_format: '0 2 21 11 *', name: 'Paused' });
    await passMinutes(40);
    expect((await read(held.id)).freeze?.held).toBe(true);
    await client.put(`${sample.base}/schedules/${held.id}`, { active: false });
    await client.put(`${sample.base}/schedules/${held.id}`, { active: true });
    await passMinutes(60);
    expect(await tasks()).toEqual([]);
  });

  it('starts a held run once with several servers, and not when all were stopped for longer than 5 minutes', async () => {
    const { location, create, freeze, passMinutes, tasks, events, clock, server, restart, stop } = await setUp();
    await freeze({ ends_at: '2026-11-21T01:10:00Z' });
    await create({ cron_format: '0 1 21 11 *' });
    const lost: unknown[] = [];
    const engines = Array.from({ length: 3 }, () => {
      const database =
        location.databaseUrl === undefined ? server.storage.database : openDatabase({ url: location.databaseUrl });
      if (database !== server.storage.database) onTestFinished(() => database.close());
      return composeScheduling({
        ...{
          database,
          clock,
          timezone: 'UTC',
          environments: EVERY_ENVIRONMENT,
          newestCommit: () => Promise.resolve(undefined),
        },
        ...{ launched: () => undefined, onError: (error) => lost.push(error) },
      });
    });
    for (const engine of engines) engine.start();
    await passMinutes(38);
    for (let second = 0; second < 120; second += 10) {
      clock.pass(10_000);
      await Promise.all([server.schedules.quiet(), ...engines.map((engine) => engine.quiet())]);
    }
    await Promise.all(engines.map((engine) => engine.stop()));
    expect(lost).toEqual([]);
    expect(await tasks()).toHaveLength(1);

    await freeze({ name: 'Second', ends_at: '2026-11-21T01:30:00Z' });
    await create({ cron_format: '15 1 21 11 *', name: 'Late' });
    await passMinutes(10);
    await stop();
    clock.pass(20 * 60_000);
    await restart();
    expect(await tasks()).toHaveLength(1);
    expect((await events()).at(-1)).toBe('Schedule Late of Patch missed 1 due time, at 2026-11-21 01:15 UTC');
  });
});
