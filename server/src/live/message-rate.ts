/**
 * Counts the messages of one client against a rate: `burst` at once, and `perSecond` in the long run.
 * Moments are milliseconds of a clock that never runs backwards.
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

  /** Counts one message; false when it is one too many. */
  take(now: number): boolean {
    const since = ((now - this.#at) / 1000) * this.#perSecond;
    this.#left = Math.min(this.#burst, this.#left + since);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
