import { type LeaseWatch, POLL_MS } from '../../dispatch/leases/lease-watch.ts';
import type { TestClock } from '../test-clock.ts';

/** Lets time pass while the watch checks at its usual interval. */
export const watchFor = async (watch: LeaseWatch, clock: TestClock, milliseconds: number): Promise<void> => {
  for (let passed = 0; passed < milliseconds; passed += POLL_MS) {
    clock.pass(Math.min(POLL_MS, milliseconds - passed));
    await watch.check();
  }
};
