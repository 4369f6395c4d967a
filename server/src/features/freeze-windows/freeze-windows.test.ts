import type { Event, FreezeWindow } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { describeEachDatabase } from '../../testing/database/databases.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { TestClock } from '../../testing/test-clock.ts';
import { startTestServer } from '../../testing/test-server.ts';

const BERLIN = { SIGNALBOX_TIMEZONE: 'Europe/Berlin' };
const ONCE = { reason: 'Books are closed', starts_at: '2026-12-23T17:00:00Z', ends_at: '2027-01-02T06:00:00Z' };

describeEachDatabase('freeze windows', (makeLocation) => {
  it('are created, changed and deleted, and show their current or next time', async () => {
    const clock = new TestClock('2026-11-21T10:00:00.000Z');
    const admin = await (await startTestServer(await makeLocation(), BERLIN, clock)).signIn();
    const sample = await sampleProject(admin);
    const base = `${sample.base}/freeze_windows`;
    const make = (body: object) => admin.post(base, { reason: 'Backups', ...body });
    const fields = async (body: object) => Object.keys((await make(body)).json().fields ?? {});

    const nights = await make({ name: 'Nights', cron_format: '0 1 * * *', duration_seconds: 7200 });
    expect(nights.json()).toMatchObject({
      ...{ timezone: 'Europe/Berlin', scheduled_runs: 'hold', template_id: null, starts_at: null },
      current: { from: '2026-11-22T00:00:00.000Z', to: '2026-11-22T02:00:00.000Z' },
    });
    const { id } = (await make({ ...ONCE, name: 'Year end', inventory_id: sample.inventoryId })).json<FreezeWindow>();
    const taken = await make({ ...ONCE, name: 'Nights' });
    expect([taken.statusCode, taken.json().code]).toEqual([409, 'conflict.freeze_window_name_taken']);

    const name = 'Wrong';
    expect(await fields({ name })).toEqual(['starts_at']);
    expect(await fields({ name, ...ONCE, ends_at: ONCE.starts_at })).toEqual(['ends_at']);
    expect(await fields({ name, starts_at: '2026-01-01T00:00:00Z', ends_at: '2026-01-02T00:00:00Z' })).toEqual([
      'ends_at',
    ]);
    expect(await fields({ name, ...ONCE, duration_seconds: 60 })).toEqual(['duration_seconds']);
    expect(await fields({ name, ...ONCE, reason: ' ' })).toEqual(['reason']);
    expect(await fields({ name, cron_format: '0 1 * * *' })).toEqual(['duration_seconds']);
    expect(await fields({ name, cron_format: '0 * * * *', duration_seconds: 3600 })).toEqual(['duration_seconds']);
    expect(await fields({ name, cron_format: '61 * * * *', duration_seconds: 60 })).toEqual(['cron_format']);
    expect(await fields({ name, ...ONCE, cron_format: '0 1 * * *', duration_seconds: 60 })).toEqual(['starts_at']);
    const zoned = { name, cron_format: 'CRON_TZ=UTC 0 1 * * *', duration_seconds: 60 };
    expect(await fields({ ...zoned, timezone: 'Asia/Tokyo' })).toEqual(['timezone']);
    expect(await fields({ name, ...ONCE, template_id: await sample.template(), label_id: 1 })).toEqual(['label_id']);
    const other = await sampleProject(admin, 'Other');
    expect(await fields({ name, ...ONCE, inventory_id: other.inventoryId })).toEqual(['inventory_id']);

    expect((await admin.put(`${base}/${id}`, { scheduled_runs: 'skip', name: 'Closing' })).statusCode).toBe(204);
    expect((await admin.get(`${base}/${id}`)).json()).toMatchObject({ name: 'Closing', scheduled_runs: 'skip' });
    const inUse = await admin.del(`${sample.base}/inventory/${sample.inventoryId}`);
    expect([inUse.statusCode, inUse.json().code]).toEqual([409, 'in_use.inventory']);
    expect((await admin.del(`${base}/${id}`)).statusCode).toBe(204);
    expect((await admin.get(base)).json<FreezeWindow[]>().map((window) => window.name)).toEqual(['Nights']);
    const events = (await admin.get(`${sample.base}/events/last`)).json<Event[]>();
    expect(events.slice(0, 2).map(({ description }) => description)).toEqual([
      'Freeze window Closing deleted',
      expect.stringMatching(/^Freeze window (Year end|Closing) /),
    ]);
    expect((await admin.del(sample.base)).statusCode).toBe(204);
  });
});
