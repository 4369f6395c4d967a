import type { Clock } from '../process/clock.ts';

/** A clock that stands still until a test sets it forward. */
export class TestClock implements Clock {
  #now = 0;
  readonly #waiting = new Set<{ at: number; action: () => void }>();

  now = () => this.#now;

  after = (ms: number, action: () => void) => {
    const entry = { at: this.#now + ms, action };
    this.#waiting.add(entry);
    return () => void this.#waiting.delete(entry);
  };

  /** Sets the clock forward, and calls what is due. */
  advance(ms: number): void {
    this.#now += ms;
    for (const entry of [...this.#waiting]) {
      if (entry.at <= this.#now && this.#waiting.delete(entry)) entry.action();
    }
  }
}
