import { describe, expect, it } from 'vitest';
import { freezeAt, freezes } from './freeze.ts';
import { type FreezeWindowRow, timeAt, timesBetween } from './freeze-times.ts';

const WINDOW: FreezeWindowRow = {
  ...{ id: 1, project_id: 1, name: 'Nights', reason: 'Backups', template_id: null, inventory_id: null, label_id: null },
  ...{ starts_at: null, ends_at: null, cron_format: '0 1 * * *', duration_seconds: 7200, timezone: 'Europe/Berlin' },
  scheduled_runs: 'hold',
};
const once = (starts_at: string, ends_at: string, change: Partial<FreezeWindowRow> = {}): FreezeWindowRow => ({
  ...WINDOW,
  ...{ starts_at, ends_at, cron_format: '', duration_seconds: null },
  ...change,
});
const shown = (time: ReturnType<typeof timeAt>) => time && [time.from.toISOString(), time.to.toISOString()];

describe('the times of a freeze window', () => {
  it('that repeats last as long as in a normal night, also when the clocks change', () => {
    const span = (from: string, to: string) => ({ from: new Date(from), to: new Date(to) });
    const spring = timesBetween(WINDOW, span('2026-03-28T12:00:00Z', '2026-03-30T12:00:00Z'), 9).map(shown);
    expect(spring).toEqual([
      ['2026-03-29T00:00:00.000Z', '2026-03-29T02:00:00.000Z'],
      ['2026-03-29T23:00:00.000Z', '2026-03-30T01:00:00.000Z'],
    ]);
    const autumn = timesBetween(WINDOW, span('2026-10-24T12:00:00Z', '2026-10-26T12:00:00Z'), 9).map(shown);
    expect(autumn).toEqual([
      ['2026-10-24T23:00:00.000Z', '2026-10-25T01:00:00.000Z'],
      ['2026-10-26T00:00:00.000Z', '2026-10-26T02:00:00.000Z'],
    ]);
  });

  it('include the begin and exclude the end', () => {
    const at = (moment: string) => freezeAt([WINDOW], new Date(moment))?.until.toISOString();
    expect(at('2026-11-20T23:59:59.999Z')).toBeUndefined();
    expect(at('2026-11-21T00:00:00.000Z')).toBe('2026-11-21T02:00:00.000Z');
    expect(at('2026-11-21T01:59:59.999Z')).toBe('2026-11-21T02:00:00.000Z');
    expect(at('2026-11-21T02:00:00.000Z')).toBeUndefined();
    const past = once('2026-11-20T00:00:00.000Z', '2026-11-20T01:00:00.000Z');
    expect(timeAt(past, new Date('2026-11-20T01:00:00.000Z'))).toBeUndefined();
  });
});

describe('a freeze', () => {
  const now = new Date('2026-11-21T00:30:00.000Z');

  it('ends with the last of the windows that overlap or follow each other', () => {
    const windows = [
      WINDOW,
      once('2026-11-21T00:00:00.000Z', '2026-11-21T01:00:00.000Z', { name: 'Short' }),
      once('2026-11-21T02:00:00.000Z', '2026-11-21T04:00:00.000Z', { name: 'Next' }),
      once('2026-11-21T05:00:00.000Z', '2026-11-21T06:00:00.000Z', { name: 'Later' }),
    ];
    const freeze = freezeAt(windows, now);
    expect([freeze?.window.name, freeze?.until.toISOString(), freeze?.held]).toEqual([
      'Nights',
      '2026-11-21T04:00:00.000Z',
      true,
    ]);
  });

  it('skips runs when one of its windows does', () => {
    const skip = once('2026-11-21T00:00:00.000Z', '2026-11-21T01:00:00.000Z', { name: 'Skip', scheduled_runs: 'skip' });
    const freeze = freezeAt([WINDOW, skip], now);
    expect([freeze?.window.name, freeze?.held]).toEqual(['Skip', false]);
  });

  it('ends its search when windows follow each other without end', () => {
    const hours = ['0', '1'].map((rest) => ({
      ...WINDOW,
      cron_format: `0 ${rest}-23/2 * * *`,
      duration_seconds: 3600,
      timezone: 'UTC',
    }));
    expect(freezeAt(hours, now)?.until).toEqual(new Date('2026-11-21T21:00:00.000Z'));
  });

  it('concerns the project, or the tasks of its template, inventory or label', () => {
    const target = { templateId: 3, inventoryId: 5, labels: [7] };
    const all = { template_id: null, inventory_id: null, label_id: null };
    expect(freezes(all, target)).toBe(true);
    for (const [field, id] of [
      ['template_id', 3],
      ['inventory_id', 5],
      ['label_id', 7],
    ] as const) {
      expect(freezes({ ...all, [field]: id }, target)).toBe(true);
      expect(freezes({ ...all, [field]: 9 }, target)).toBe(false);
    }
  });
});
