import type { Clock } from '../../clock.ts';

const WINDOW_MS = 15 * 60_000;
const PER_ACCOUNT_AND_ADDRESS = 5;
const PER_ADDRESS = 30;
/** Beyond so many remembered keys the oldest are let go: memory must not grow with an attack. */
const MAX_KEYS = 50_000;

/** Counts failed sign-ins of the last 15 minutes: 5 for one account from one address, 30 from one address. */
export class SignInThrottle {
  readonly #clock: Clock;
  readonly #failures = new Map<string, number[]>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  #recent(key: string): number[] {
    const since = this.#clock.monotonic() - WINDOW_MS;
    return (this.#failures.get(key) ?? []).filter((at) => at > since);
  }

  /**
   * Counts an attempt as failed before it is made: many at once would else all be let in before the first has failed.
   * @returns false when it must not be made.
   */
  begin(login: string, address: string): boolean {
    if (
      this.#recent(`${address} ${login.toLowerCase()}`).length >= PER_ACCOUNT_AND_ADDRESS ||
      this.#recent(address).length >= PER_ADDRESS
    ) {
      return false;
    }
    for (const key of [`${address} ${login.toLowerCase()}`, address]) {
      const recent = [...this.#recent(key), this.#clock.monotonic()];
      this.#failures.delete(key);
      this.#failures.set(key, recent);
    }
    for (const key of this.#failures.keys()) {
      if (this.#failures.size <= MAX_KEYS) break;
      this.#failures.delete(key);
    }
    return true;
  }

  /** The attempt was right: it counts no more, nor do the failed ones of that account. */
  succeeded(login: string, address: string): void {
    this.#failures.delete(`${address} ${login.toLowerCase()}`);
    this.#forget(address);
  }

  /** The attempt could not be made after all. */
  undo(login: string, address: string): void {
    this.#forget(`${address} ${login.toLowerCase()}`);
    this.#forget(address);
  }

  #forget(key: string): void {
    this.#failures.set(key, this.#recent(key).slice(0, -1));
  }
}
