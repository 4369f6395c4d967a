import type { Clock } from '../clock.ts';

interface Timer {
  readonly at: number;
  readonly work: () => void;
}

/** A clock that only the test moves. */
export class TestClock implements Clock {
  #wall: number;
  #monotonic = 0;
  #slept = 0;
  readonly #timers = new Set<Timer>();

  constructor(start: string) {
    this.#wall = Date.parse(start);
  }

  now(): Date {
    return new Date(this.#wall);
  }

  monotonic(): number {
    return this.#monotonic;
  }

  sinceBoot(): number {
    return this.#monotonic + this.#slept;
  }

  /** Lets the machine sleep: timers and the monotonic clock stand still. */
  sleep(ms: number): void {
    this.#wall += ms;
    this.#slept += ms;
  }

  after(ms: number, work: () => void): () => void {
    const timer = { at: this.#monotonic + ms, work };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** Sets the wall clock. No time passes. */
  step(ms: number): void {
    this.#wall += ms;
  }

  /** Lets time pass and runs the timers that are due. */
  pass(ms: number): void {
    this.#wall += ms;
    this.#monotonic += ms;
    for (const timer of [...this.#timers].filter(({ at }) => at <= this.#monotonic)) {
      this.#timers.delete(timer);
      timer.work();
    }
  }
}
