import type { Clock } from './clock.ts';

const WINDOW_MS = 60_000;

/** Limits the calls of each object to a number a minute, on this server. */
export class CallLimit {
  readonly #clock: Clock;
  readonly #most: number;
  #since = Number.NEGATIVE_INFINITY;
  #counts = new Map<number, number>();

  constructor(clock: Clock, most: number) {
    this.#clock = clock;
    this.#most = most;
  }

  /** Counts a call. @returns false for one above the limit */
  take(id: number): boolean {
    const now = this.#clock.monotonic();
    if (now - this.#since >= WINDOW_MS) {
      this.#since = now;
      this.#counts = new Map();
    }
    const count = (this.#counts.get(id) ?? 0) + 1;
    this.#counts.set(id, count);
    return count <= this.#most;
  }
}
