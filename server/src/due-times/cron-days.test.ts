import { DAY_MS } from '@signalbox/contract/limits';
import { Cron as CronExpression } from 'croner';
import { describe, expect, it } from 'vitest';
import { parseCron } from './cron.ts';

const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Pacific/Apia'];
const CRONS = [
  '30 2 * * *',
  '*/7 * * * *',
  '0 0 1 * *',
  '15 3 13 * 5',
  '59 23 31 12 *',
  '0 1-3 * 3,10 0',
  '0 12 29 2 *',
];

describe('due times that are calculated from days', () => {
  it.each(ZONES)('are those of the local time of each candidate in %s', (timezone) => {
    for (const text of CRONS) {
      const slow = new CronExpression(text.replace('*/7', '0,7,14,21,28,35,42,49,56'), {
        ...{ timezone, mode: '5-part', fixedTimeRule: 'no-wildcard', paused: true },
      });
      const cron = parseCron(text, timezone);
      // Moments all over one year, at other times of the day each.
      for (let n = 0; n < 60; n++) {
        const moment = new Date(Date.UTC(2026, 0, 1) + n * (6 * DAY_MS + 5_020_000));
        expect(cron.after(moment), `${text} after ${moment.toISOString()}`).toEqual(slow.nextRun(moment));
      }
    }
  });

  it('of a thousand schedules with five times each take less than 50 ms of processor time', () => {
    const now = new Date('2026-11-21T10:00:00.000Z');
    const count = () => {
      const before = process.threadCpuUsage();
      for (let n = 0; n < 1000; n++) {
        const cron = parseCron(`${n % 60} ${n % 24} * * ${n % 7}`, ZONES[n % ZONES.length] as string);
        let due: Date | undefined = now;
        for (let time = 0; due && time < 5; time++) due = cron.after(due);
      }
      const { user, system } = process.threadCpuUsage(before);
      return (user + system) / 1000;
    };
    expect(Math.min(count(), count(), count())).toBeLessThan(50);
  });
});
