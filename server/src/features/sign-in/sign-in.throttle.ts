import type { Clock } from '../../clock.ts';

const WINDOW_MS = 15 * 60_000;
const PER_ACCOUNT_AND_ADDRESS = 5;
const PER_ADDRESS = 30;
/** Beyond so many remembered keys the oldest are let go: memory must not grow with an attack. */
const MAX_KEYS = 50_000;

interface Tally {
  /** When attempts failed, in milliseconds of the monotonic clock, the oldest first. */
  failures: number[];
  underWay: number;
  /** Resolves when an attempt that is under way has ended. */
  ended: PromiseWithResolvers<void>;
}

interface Limit {
  readonly tally: Tally;
  readonly most: number;
}

/** Counts failed sign-ins of the last 15 minutes: 5 for one account from one address, 30 from one address. */
export class SignInThrottle {
  readonly #clock: Clock;
  readonly #tallies = new Map<string, Tally>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Makes an attempt unless too many have failed. Many at once would all be let in before the first has failed: those
   * that would be too many if all others failed wait for how those end. An attempt that throws counts for nothing.
   *
   * @param account the same for every way to name one account
   * @returns whether the attempt was right; undefined when it must not be made
   */
  async attempt(account: string, address: string, verify: () => Promise<boolean>): Promise<boolean | undefined> {
    const own = `${address} ${account}`;
    for (;;) {
      const limits = [this.#limit(own, PER_ACCOUNT_AND_ADDRESS), this.#limit(address, PER_ADDRESS)];
      if (limits.some(({ tally, most }) => tally.failures.length >= most)) return undefined;
      const full = limits.find(({ tally, most }) => tally.failures.length + tally.underWay >= most);
      if (full) {
        await full.tally.ended.promise;
        continue;
      }
      const right = await this.#make(limits, verify);
      // A right password forgives the wrong ones before it.
      if (right) this.#tallies.delete(own);
      return right;
    }
  }

  #limit(key: string, most: number): Limit {
    const since = this.#clock.monotonic() - WINDOW_MS;
    const tally = this.#tallies.get(key) ?? { failures: [], underWay: 0, ended: Promise.withResolvers<void>() };
    tally.failures = tally.failures.filter((at) => at > since);
    this.#tallies.delete(key);
    this.#tallies.set(key, tally);
    for (const oldest of this.#tallies.keys()) {
      if (this.#tallies.size <= MAX_KEYS) break;
      this.#tallies.delete(oldest);
    }
    return { tally, most };
  }

  async #make(limits: readonly Limit[], verify: () => Promise<boolean>): Promise<boolean> {
    for (const { tally } of limits) tally.underWay += 1;
    try {
      const right = await verify();
      if (!right) for (const { tally } of limits) tally.failures.push(this.#clock.monotonic());
      return right;
    } finally {
      for (const { tally } of limits) {
        tally.underWay -= 1;
        tally.ended.resolve();
        tally.ended = Promise.withResolvers();
      }
    }
  }
}
