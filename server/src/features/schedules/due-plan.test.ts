import { describe, expect, it } from 'vitest';
import { parseCron } from '../../due-times/cron.ts';
import { firstDue, planDue, shownTimes } from './due-plan.ts';

const at = (time: string): Date => new Date(`2026-11-${time}Z`);

const shownPlan = (cron: string, oldest: string, now: string) => {
  const plan = planDue(parseCron(cron, 'UTC'), at(oldest), at(now));
  const shown = (moment: Date | undefined): string | undefined => moment?.toISOString().slice(8, 16);
  const { missed } = plan;
  return {
    run: shown(plan.run),
    missed: missed && `${missed.more ? '>' : ''}${missed.count} ${shown(missed.last)}`,
    handled: shown(plan.handled),
    next: shown(plan.next),
  };
};

describe('[R7] planDue', () => {
  it.each([
    ['just now', '0 * * * *', '21T10:00:00', '21T10:00:00', '21T10:00', undefined, '21T11:00'],
    ['3 min ago', '0 * * * *', '21T10:00:00', '21T10:03:00', '21T10:00', undefined, '21T11:00'],
    ['5 min ago', '0 * * * *', '21T10:00:00', '21T10:05:00', '21T10:00', undefined, '21T11:00'],
    ['5 min and 1 ms ago', '0 * * * *', '21T10:00:00', '21T10:05:00.001', undefined, '1 21T10:00', '21T11:00'],
    ['6 min ago', '0 * * * *', '21T10:00:00', '21T10:06:00', undefined, '1 21T10:00', '21T11:00'],
    ['hours ago and just now', '0 * * * *', '21T07:00:00', '21T10:01:00', '21T10:00', '3 21T09:00', '21T11:00'],
    ['a week ago', '0 3 * * *', '14T03:00:00', '21T02:00:00', undefined, '7 20T03:00', '21T03:00'],
    ['each minute for 3 min', '* * * * *', '21T10:00:00', '21T10:03:00', '21T10:00', undefined, '21T10:01'],
    ['each minute for an hour', '* * * * *', '21T10:00:00', '21T11:00:30', '21T10:56', '56 21T10:55', '21T10:57'],
    ['each minute for a week', '* * * * *', '14T10:00:00', '21T10:00:30', '21T09:56', '>1000 21T09:55', '21T09:57'],
    [
      'each quarter of an hour for a month',
      '*/15 * * * *',
      '01T10:00:00',
      '30T10:10:00',
      undefined,
      '>1000 30T10:00',
      '30T10:15',
    ],
  ])(
    'decides which due times run and which are missed when the schedule was due %s',
    (_what, cron, oldest, now, run, missed, next) => {
      const plan = shownPlan(cron, oldest, now);
      expect(plan).toMatchObject({ run, missed, next });
      expect(plan.handled).toBe(run ?? missed?.split(' ')[1]);
    },
  );

  it('runs only the newest of several due times for a schedule that checks for commits', () => {
    const plan = planDue(parseCron('* * * * *', 'UTC'), at('21T10:00:00'), at('21T10:07:00'), { once: true });
    expect(plan).toMatchObject({ run: at('21T10:07:00'), missed: { count: 2, last: at('21T10:01:00') } });
  });

  it('handles the due times of several years within a second', () => {
    const cron = parseCron('* * * * *', 'Europe/Berlin');
    const since = performance.now();
    const plan = planDue(cron, new Date('2016-01-01T00:00:00Z'), at('21T10:10:30'));
    expect(performance.now() - since).toBeLessThan(1000);
    expect(plan).toMatchObject({ run: at('21T10:06:00'), next: at('21T10:07:00') });
  });
});

describe('[R16] firstDue', () => {
  const cron = parseCron('*/30 * * * *', 'UTC');
  it.each([
    ['was never handled', null, '21T10:30'],
    ['was handled before', '21T10:00:00', '21T10:30'],
    ['was handled before the clock was set back 2 h', '21T12:00:00', '21T12:30'],
    ['was handled in a year to which the clock was wrongly set', '30T12:00:00', '21T10:30'],
  ])('returns the next due time of a changed schedule that %s', (_what, handled, expected) => {
    const due = firstDue(cron, at('21T10:05:00'), handled === null ? null : at(handled));
    expect(due?.toISOString().slice(8, 16)).toBe(expected);
  });
});

describe('shownTimes', () => {
  const cron = parseCron('0 * * * *', 'UTC');
  it('begins with the stored due time, unless that is in the past', () => {
    expect(shownTimes(cron, at('21T12:00:00'), at('21T10:05:00'), 2)).toEqual([at('21T12:00:00'), at('21T13:00:00')]);
    expect(shownTimes(cron, at('21T10:00:00'), at('21T10:05:00'), 2)).toEqual([at('21T11:00:00'), at('21T12:00:00')]);
  });
});
