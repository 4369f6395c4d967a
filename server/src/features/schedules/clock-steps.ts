import type { Clock } from '../../clock.ts';
import { LATE_MS } from './due-plan.ts';

/**
 * Detects that the wall clock was set forward, by comparing it with the monotonic clock. Time while the machine
 * sleeps does not count.
 */
export class ClockSteps {
  readonly #clock: Clock;
  /** Difference between the clocks at the last reading, in milliseconds. */
  #offset: number;
  #skippedTo: Date | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#offset = clock.now().getTime() - clock.sinceBoot();
  }

  /** The time to which the clock was set forward, if the step is longer than a due time may be late. */
  get skippedTo(): Date | undefined {
    return this.#skippedTo;
  }

  /** Reads the wall clock. */
  read(): Date {
    const now = this.#clock.now();
    const offset = now.getTime() - this.#clock.sinceBoot();
    if (offset - this.#offset > LATE_MS) this.#skippedTo = now;
    else if (this.#skippedTo && this.#skippedTo > now) this.#skippedTo = undefined;
    this.#offset = offset;
    return now;
  }
}
