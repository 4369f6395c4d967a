import type { Clock } from '../../clock.ts';
import { LATE_MS } from './due-decision.ts';

/** Notices when the wall clock is set on, by the clock that only runs forward. A machine that slept is no step. */
export class ClockSteps {
  readonly #clock: Clock;
  /** Difference between both clocks at the last look, in milliseconds. */
  #offset: number;
  #skippedTo: Date | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#offset = clock.now().getTime() - clock.sinceBoot();
  }

  /** Where the clock was set on by more than a due time may be late: the moment that it was set to. */
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
