import { describe, expect, it } from 'vitest';
import { nextLogTimes, readLogTimes, timeFormatter } from './log-times.ts';

describe('the times of log lines', () => {
  it('change their format with the button, and the chosen format is remembered', () => {
    expect(nextLogTimes('off')).toBe('clock');
    expect(nextLogTimes('clock')).toBe('relative');
    expect(nextLogTimes('relative')).toBe('off');
    expect(readLogTimes('relative')).toBe('relative');
    expect(readLogTimes('sundial')).toBe('off');
    expect(readLogTimes(undefined)).toBe('off');
  });

  it('are shown by the clock or since the start', () => {
    const start = '2026-11-21T10:00:00.000Z';
    const at = new Date(start).getTime() + 62_005;
    expect(timeFormatter('off', start)).toBeUndefined();
    expect(timeFormatter('clock', start)?.(at)).toMatch(/^\d\d:\d1:02\.005$/);
    expect(timeFormatter('relative', start)?.(at)).toBe('+1:02.005');
    expect(timeFormatter('relative', start)?.(at - 70_000)).toBe('+0:00.000');
    expect(timeFormatter('relative', null)?.(at)).toBe(timeFormatter('clock', null)?.(at));
  });
});
