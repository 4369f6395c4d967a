import type { Kysely, Transaction } from 'kysely';
import type { Capabilities } from './dialects/capabilities.ts';
import type { LogSchema, StateSchema } from './schema.ts';

export type State = Kysely<StateSchema>;
export type StateTransaction = Transaction<StateSchema>;

/** The state database: who and what. Reads go to `read`, everything that writes through `write`. */
export class Database {
  readonly read: State;
  readonly capabilities: Capabilities;

  constructor(read: State, capabilities: Capabilities) {
    this.read = read;
    this.capabilities = capabilities;
  }

  /** All of `work` or nothing; on PostgreSQL, alone among those that name the same `lock`. */
  write<T>(work: (tx: StateTransaction) => Promise<T>, lock?: number): Promise<T> {
    return this.read.transaction().execute(async (tx) => {
      if (lock !== undefined) await this.capabilities.lock(tx as unknown as Transaction<never>, lock);
      return await work(tx);
    });
  }

  close(): Promise<void> {
    return this.read.destroy();
  }
}

/** Numbers of the locks that exist; each guards one decision that must see everything before it. */
export const LOCK = { claim: 4711, migrate: 4712 } as const;

export type Logs = Kysely<LogSchema>;
