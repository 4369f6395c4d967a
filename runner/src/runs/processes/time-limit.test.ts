import { describe, expect, it } from 'vitest';
import { bootMoment, millisecondsSince, timeLimit } from './time-limit.ts';

describe('the time limit of a run', () => {
  const since = { boot: 'one', at: 5_000 };

  it('[R16] continues across restarts of the runner, by the monotonic clock', () => {
    expect(millisecondsSince(since, { boot: 'one', at: 65_000 })).toBe(60_000);
    const before = bootMoment();
    expect(before.boot).not.toBe('');
    expect(millisecondsSince(before)).toBeLessThan(60_000);
  });

  it('counts from the start of the machine after a reboot', () => {
    expect(millisecondsSince(since, { boot: 'two', at: 1_000 })).toBe(1_000);
  });

  it.each([
    ['was not recorded by an earlier release', undefined, { boot: 'one', at: 9_000 }],
    ['has no boot id', { boot: '', at: 1 }, { boot: '', at: 9_000 }],
    ['is after the current time', { boot: 'one', at: 9_000 }, { boot: 'one', at: 1_000 }],
  ])('starts again if its beginning %s', (_, begun, now) => {
    expect(millisecondsSince(begun, now)).toBe(0);
  });

  it('is reached at once if all of it was spent before', () => {
    const { signal, left } = timeLimit(60, 60_001, new AbortController().signal);
    expect(left()).toBe(0.001);
    return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  });
});
