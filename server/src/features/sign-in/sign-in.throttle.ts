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

  isBlocked(login: string, address: string): boolean {
    return (
      this.#recent(`${address} ${login.toLowerCase()}`).length >= PER_ACCOUNT_AND_ADDRESS ||
      this.#recent(address).length >= PER_ADDRESS
    );
  }

  failed(login: string, address: string): void {
    for (const key of [`${address} ${login.toLowerCase()}`, address]) {
      const recent = [...this.#recent(key), this.#clock.monotonic()];
      this.#failures.delete(key);
      this.#failures.set(key, recent);
    }
    for (const key of this.#failures.keys()) {
      if (this.#failures.size <= MAX_KEYS) break;
      this.#failures.delete(key);
    }
  }

  succeeded(login: string, address: string): void {
    this.#failures.delete(`${address} ${login.toLowerCase()}`);
  }
}
