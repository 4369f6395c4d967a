/**
 * Limits the messages of one client: `burst` at once, and `perSecond` on average.
 * Times are milliseconds of a monotonic clock.
 */
export class MessageRate {
  readonly #perSecond: number;
  readonly #burst: number;
  #left: number;
  #at: number;

  constructor(perSecond: number, burst: number, now: number) {
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#left = burst;
    this.#at = now;
  }

  /** Counts one message; false when it exceeds the limit. */
  take(now: number): boolean {
    const since = ((now - this.#at) / 1000) * this.#perSecond;
    this.#left = Math.min(this.#burst, this.#left + since);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
