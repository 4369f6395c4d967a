import { describe, expect, it } from 'vitest';
import { nextTimes } from '../../due-times/due-times.ts';
import { followsServerZone, type TimingInput, timingOf, zoneOf } from './timing.ts';

const NONE: TimingInput = {
  ...{ cron_format: '', run_at: null, interval_seconds: null },
  ...{ own_timezone: null, starts_at: null, ends_at: null },
};
const times = (input: Partial<TimingInput>, from: string, count = 3) =>
  nextTimes(timingOf({ ...NONE, ...input }, 'UTC'), new Date(from), count).map((due) => due.toISOString());

describe('the due times of a schedule', () => {
  it('with an interval are counted from its start, or else from 1970', () => {
    const from = '2026-11-21T10:00:00.000Z';
    expect(times({ interval_seconds: 5400 }, from)).toEqual(times({ cron_format: '@every 1h30m' }, from));
    expect(times({ interval_seconds: 5400, starts_at: '2026-11-21T09:10:00.000Z' }, from)).toEqual([
      '2026-11-21T10:40:00.000Z',
      '2026-11-21T12:10:00.000Z',
      '2026-11-21T13:40:00.000Z',
    ]);
    expect(times({ interval_seconds: 60, starts_at: '2026-12-01T00:00:00.000Z' }, from, 1)).toEqual([
      '2026-12-01T00:00:00.000Z',
    ]);
  });

  it('with an interval are equally far apart across a clock change', () => {
    const day = { interval_seconds: 86_400, starts_at: '2026-03-27T02:30:00.000Z', own_timezone: 'Europe/Berlin' };
    expect(times(day, '2026-03-28T12:00:00.000Z', 2)).toEqual(['2026-03-29T02:30:00.000Z', '2026-03-30T02:30:00.000Z']);
  });

  it('with one moment are that moment', () => {
    const run_at = '2026-11-21T12:00:00.000Z';
    expect(times({ run_at }, '2026-11-21T10:00:00.000Z')).toEqual([run_at]);
    expect(times({ run_at }, run_at)).toEqual([]);
  });

  it('with a cron follow the time zone of the schedule across both clock changes', () => {
    const berlin = { cron_format: '30 2 * * *', own_timezone: 'Europe/Berlin' };
    expect(times(berlin, '2026-03-28T00:00:00.000Z')).toEqual([
      '2026-03-28T01:30:00.000Z',
      '2026-03-29T01:00:00.000Z',
      '2026-03-30T00:30:00.000Z',
    ]);
    expect(times(berlin, '2026-10-24T12:00:00.000Z', 2)).toEqual([
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ]);
    expect(times({ ...berlin, own_timezone: 'America/New_York' }, '2026-03-28T00:00:00.000Z', 1)).toEqual([
      '2026-03-28T06:30:00.000Z',
    ]);
  });

  it('are neither before its start nor after its end, and include both', () => {
    const limits = { starts_at: '2026-11-22T00:00:00.000Z', ends_at: '2026-11-24T00:00:00.000Z' };
    expect(times({ cron_format: '@daily', ...limits }, '2026-11-01T00:00:00.000Z', 9)).toEqual(
      ['22', '23', '24'].map((day) => `2026-11-${day}T00:00:00.000Z`),
    );
  });

  it('are in the zone of the cron, else in that of the schedule, else in that of the server', () => {
    const own = { ...NONE, cron_format: '@daily', own_timezone: 'Asia/Tokyo' };
    expect(zoneOf(own, 'Europe/Berlin')).toBe('Asia/Tokyo');
    expect(zoneOf({ ...own, own_timezone: null }, 'Europe/Berlin')).toBe('Europe/Berlin');
    expect(zoneOf({ ...own, own_timezone: null, cron_format: 'TZ=Asia/Kolkata @daily' }, 'UTC')).toBe('Asia/Kolkata');
    expect([own, { ...own, own_timezone: null }].map(followsServerZone)).toEqual([false, true]);
  });
});
