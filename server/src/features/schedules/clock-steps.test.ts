import { describe, expect, it } from 'vitest';
import { TestClock } from '../../testing/test-clock.ts';
import { ClockSteps } from './clock-steps.ts';

const HOUR_MS = 3_600_000;

describe('the steps of a clock', () => {
  it('are noticed when it is set on, and forgotten when it is set back', () => {
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

  it('are none when the machine has slept', () => {
    const clock = new TestClock('2026-11-21T10:00:00Z');
    const steps = new ClockSteps(clock);
    clock.sleep(HOUR_MS);
    steps.read();
    expect(steps.skippedTo).toBeUndefined();
  });
});
