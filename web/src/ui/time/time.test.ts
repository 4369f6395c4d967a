import { describe, expect, it } from 'vitest';
import { translate } from '../../lang/translate.ts';
import { sampleTask } from '../../testing/sample.ts';
import { ago, clockTime, durationText, taskDuration, usualDuration } from './time.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('the text of a moment', () => {
  it.each([
    [0, 'just now'],
    [-5 * MINUTE, 'just now'],
    [9 * SECOND, 'just now'],
    [20 * SECOND, '20 s ago'],
    [59 * SECOND, '59 s ago'],
    [60 * SECOND, '1 min ago'],
    [59 * MINUTE, '59 min ago'],
    [HOUR, '1 h ago'],
    [23 * HOUR, '23 h ago'],
    [25 * HOUR, 'yesterday'],
    [3 * DAY, '3 days ago'],
    [75 * DAY, '2 months ago'],
  ])('%i ms ago is shown as %j', (passed, text) => {
    const now = Date.UTC(2026, 10, 21);
    const { key, count } = ago(new Date(now - passed).toISOString(), now);
    expect(translate(key, { count })).toBe(text);
  });
});

describe('a duration', () => {
  it.each([
    [0, '0:00'],
    [999, '0:00'],
    [61_000, '1:01'],
    [599_000, '9:59'],
    [3_600_000, '1:00:00'],
    [45_296_000, '12:34:56'],
    [-1, '0:00'],
  ])('of %i ms is %s', (milliseconds, text) => {
    expect(durationText(milliseconds)).toBe(text);
  });

  it('counts up to now while a task is running, and to its end afterwards', () => {
    const task = sampleTask();
    expect(taskDuration(task, 0)).toBe(MINUTE);
    expect(taskDuration({ ...task, end: null }, Date.parse('2026-11-21T10:00:31.000Z'))).toBe(30 * SECOND);
    expect(taskDuration({ ...task, start: null }, 0)).toBeUndefined();
  });

  it('is never negative, even if clocks differ', () => {
    expect(taskDuration({ start: '2026-11-21T10:00:05.000Z', end: '2026-11-21T10:00:00.000Z' }, 0)).toBe(0);
  });
});

describe('the usual duration', () => {
  const took = (seconds: number, status: 'success' | 'error' = 'success') =>
    sampleTask({ status, end: new Date(Date.parse('2026-11-21T10:00:01.000Z') + seconds * SECOND).toISOString() });

  it('is the median of the successful tasks', () => {
    expect(usualDuration([took(10), took(900), took(20), took(1, 'error'), took(30)])).toBe(30 * SECOND);
    expect(usualDuration([took(10), took(20), took(900)])).toBe(20 * SECOND);
  });

  it('uses only the newest 20 tasks', () => {
    expect(
      usualDuration([...Array.from({ length: 20 }, () => took(10)), ...Array.from({ length: 90 }, () => took(99))]),
    ).toBe(10 * SECOND);
  });

  it('is undefined without a successful task', () => {
    expect(usualDuration([took(10, 'error')])).toBeUndefined();
  });
});

describe('the time of a log line', () => {
  it('has milliseconds', () => {
    expect(clockTime(new Date(2026, 10, 21, 7, 5, 9, 42).getTime())).toBe('07:05:09.042');
  });
});
