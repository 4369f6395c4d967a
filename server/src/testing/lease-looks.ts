import { type LeaseWatch, LOOK_MS } from '../dispatch/lease-watch.ts';
import type { TestClock } from './test-clock.ts';

/** Lets time pass while a watch looks as often as it does by itself. */
export const watchFor = async (watch: LeaseWatch, clock: TestClock, milliseconds: number): Promise<void> => {
  for (let passed = 0; passed < milliseconds; passed += LOOK_MS) {
    clock.pass(Math.min(LOOK_MS, milliseconds - passed));
    await watch.look();
  }
};
