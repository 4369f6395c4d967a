import { describe, expect, it } from 'vitest';
import { TestClock } from '../../testing/test-clock.ts';
import { ClockSteps } from './clock-steps.ts';

const HOUR_MS = 3_600_000;

describe('the detection of clock steps', () => {
  it('notices when the clock is set forward, and forgets it when the clock is set back', () => {
    const clock = new TestClock('2026-11-21T10:00:00Z');
    const steps = new ClockSteps(clock);
    clock.pass(HOUR_MS);
    expect([steps.read(), steps.skippedTo]).toEqual([clock.now(), undefined]);
    clock.step(2 * HOUR_MS);
    expect([steps.read(), steps.skippedTo]).toEqual([clock.now(), clock.now()]);
    clock.step(-2 * HOUR_MS);
    steps.read();
    expect(steps.skippedTo).toBeUndefined();
  });

  it('ignores the time while the machine sleeps', () => {
    const clock = new TestClock('2026-11-21T10:00:00Z');
    const steps = new ClockSteps(clock);
    clock.sleep(HOUR_MS);
    steps.read();
    expect(steps.skippedTo).toBeUndefined();
  });
});
