import type { Kysely, Transaction } from 'kysely';
import type { Capabilities } from './dialects/capabilities.ts';
import type { LogSchema, StateSchema } from './schema.ts';

export type State = Kysely<StateSchema>;
export type StateTransaction = Transaction<StateSchema>;

/** Two that wait for each other are rare; the same two ten times are a fault of ours. */
const MAX_ATTEMPTS = 10;

/** The state database: who and what. Reads go to `read`, everything that writes through `write`. */
export class Database {
  readonly read: State;
  readonly capabilities: Capabilities;

  constructor(read: State, capabilities: Capabilities) {
    this.read = read;
    this.capabilities = capabilities;
  }

  /**
   * All of `work` or nothing, tried again where two of them stood in each other's way: `work` must do nothing but write
   * to its transaction. On PostgreSQL, alone among those that name the same `lock`.
   */
  async write<T>(work: (tx: StateTransaction) => Promise<T>, lock?: number): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.read.transaction().execute(async (tx) => {
          if (lock !== undefined) await this.capabilities.lock(tx as unknown as Transaction<never>, lock);
          return await work(tx);
        });
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || !this.capabilities.isDeadlock(error)) throw error;
      }
    }
  }

  /** Locks a number until the transaction ends. Other transactions that lock the same number and kind wait for that. */
  lockNumber(tx: StateTransaction, kind: number, number: number): Promise<void> {
    return this.capabilities.lockEach(tx as unknown as Transaction<never>, kind, [number]);
  }

  /** Does some work unless another server is at it; also many transactions, none of them long. */
  alone(work: () => Promise<void>, lock: number): Promise<void> {
    return this.capabilities.alone(this.read as unknown as Kysely<never>, lock, work);
  }

  /** How many others are connected to the database at this moment, as far as it tells: other servers and commands. */
  othersConnected(within: State = this.read): Promise<number> {
    return this.capabilities.othersConnected(within as unknown as Kysely<never>);
  }

  close(): Promise<void> {
    return this.read.destroy();
  }
}

/** Numbers of the locks that exist; each guards one decision that must see everything before it. */
export const LOCK = {
  claim: 4711,
  migrate: 4712,
  people: 4713,
  retention: 4714,
  hosts: 4715,
  logs: 4716,
  signIn: 4717,
} as const;

export type Logs = Kysely<LogSchema>;
