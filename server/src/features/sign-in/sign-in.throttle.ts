import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/database.ts';
import { KeyedSlots } from '../../keyed-slots.ts';
import { hashToken } from '../../secrets/token.ts';
import { networkOf } from './client-network.ts';
import {
  type AttemptKeys,
  beginAttempt,
  deleteAttempt,
  failAttempt,
  forgiveAttempts,
  tidyAttempts,
} from './sign-in-attempt.store.ts';

const LIMITS = { perAccount: 5, perNetwork: 30 } as const;
/** How often an attempt that waits for attempts on another server checks the database, in milliseconds. */
const POLL_MS = 50;
/** Minimum time between two deletions of expired attempts, in milliseconds. */
const TIDY_MS = 60_000;

/**
 * Limits failed sign-ins of the last 15 minutes: 5 for one account from one network, 30 from one network. The counts
 * are in the database, so servers share them and restarts keep them.
 */
export class SignInThrottle {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #ofAccount = new KeyedSlots(LIMITS.perAccount);
  readonly #ofNetwork = new KeyedSlots(LIMITS.perNetwork);
  #tidied = Number.NEGATIVE_INFINITY;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /**
   * Makes an attempt unless too many have failed. An attempt that would exceed the limit if all pending attempts failed
   * waits for their results, so that many simultaneous attempts stay within the limit. An attempt that throws is not
   * counted.
   *
   * @param account the same for every way to name one account
   * @returns whether the attempt was right; undefined when it must not be made
   */
  async attempt(account: string, address: string, verify: () => Promise<boolean>): Promise<boolean | undefined> {
    const network = networkOf(address);
    const keys = { network: hashToken(network), account: hashToken(`${network} ${account}`) };
    await this.#tidy();
    return await this.#ofAccount.run(keys.account, () =>
      this.#ofNetwork.run(keys.network, () => this.#make(keys, verify)),
    );
  }

  async #make(keys: AttemptKeys, verify: () => Promise<boolean>): Promise<boolean | undefined> {
    const id = await this.#begin(keys);
    if (id === 'blocked') return undefined;
    let right: boolean;
    try {
      right = await verify();
    } catch (error) {
      await deleteAttempt(this.#database, id);
      throw error;
    }
    if (right) await forgiveAttempts(this.#database, id, keys);
    else await failAttempt(this.#database, id, this.#clock.now());
    return right;
  }

  async #begin(keys: AttemptKeys): Promise<number | 'blocked'> {
    for (;;) {
      const begun = await beginAttempt(this.#database, this.#clock, keys, LIMITS);
      if (begun !== 'full') return begun;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  async #tidy(): Promise<void> {
    const now = this.#clock.monotonic();
    if (now - this.#tidied < TIDY_MS) return;
    this.#tidied = now;
    await tidyAttempts(this.#database, this.#clock.now());
  }
}
