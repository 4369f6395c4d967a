import type { Kysely, Transaction } from 'kysely';
import type { Capabilities } from './dialects/capabilities.ts';
import type { OpenNotices } from './notice-channel.ts';
import type { LogSchema, StateSchema } from './schema.ts';

export type State = Kysely<StateSchema>;
export type StateTransaction = Transaction<StateSchema>;
/**
 * Runs queries that only read. A `State` and a `StateTransaction` are readers too. A reader has no `getExecutor`, so
 * it cannot run raw SQL, only queries that contain raw expressions.
 */
export type StateReader = Pick<State, 'selectFrom' | 'selectNoFrom' | 'fn' | 'dynamic'>;

/** The state of each reader that is not a state itself. */
const STATES = new WeakMap<StateReader, State>();

/** An object that has nothing of the state but what starts a query, so that a cast of its type does not help either. */
const readerOf = (state: State): StateReader => {
  const reader: StateReader = {
    selectFrom: state.selectFrom.bind(state) as State['selectFrom'],
    selectNoFrom: state.selectNoFrom.bind(state) as State['selectNoFrom'],
    fn: state.fn,
    dynamic: state.dynamic,
  };
  STATES.set(reader, state);
  return reader;
};

/** The state of a reader, for code of this folder that runs queries which a reader compiled. */
export const stateOf = (reader: StateReader): State => STATES.get(reader) ?? (reader as State);

/** Deadlocks are rare. The same transaction failing ten times in a row indicates a bug. */
const MAX_ATTEMPTS = 10;

/** The state database: everything but the task logs. */
export class Database {
  /** For queries. It has no statement that writes. */
  readonly read: StateReader;
  /**
   * For queries that may take long, such as those over all hosts. On SQLite they run on a thread of their own, so that the server
   * answers other calls meanwhile. They see what was committed before they began.
   */
  readonly readApart: StateReader;
  /**
   * Runs every statement in a transaction of its own. For a write of a single statement, and for code that manages
   * the database itself (migrations, backup). Several statements that belong together use `write`.
   */
  readonly autocommit: State;
  readonly capabilities: Capabilities;
  /** Opens a channel to the other servers of the database. Undefined for a file, which only one server uses. */
  readonly openNotices: OpenNotices | undefined;
  readonly #apart: State | undefined;

  constructor(state: State, capabilities: Capabilities, more: { openNotices?: OpenNotices; apart?: State } = {}) {
    this.read = readerOf(state);
    this.readApart = more.apart ? readerOf(more.apart) : this.read;
    this.#apart = more.apart;
    this.autocommit = state;
    this.capabilities = capabilities;
    this.openNotices = more.openNotices;
  }

  /**
   * Runs `work` in one transaction, and again after a deadlock: `work` must have no effect outside its transaction.
   * @param lock a number of `LOCK`. On PostgreSQL, transactions with the same lock run one after the other; on SQLite
   *   all transactions do.
   */
  async write<T>(work: (tx: StateTransaction) => Promise<T>, lock?: number): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.autocommit.transaction().execute(async (tx) => {
          if (lock !== undefined) await this.capabilities.lock(tx as unknown as Transaction<never>, lock);
          return await work(tx);
        });
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || !this.capabilities.isDeadlock(error)) throw error;
      }
    }
  }

  /** Locks a number until the transaction ends. Other transactions that lock the same number and kind wait. */
  lockNumber(tx: StateTransaction, kind: number, number: number): Promise<void> {
    return this.capabilities.lockEach(tx as unknown as Transaction<never>, kind, [number]);
  }

  /**
   * Runs `work` unless another server holds the lock. Holds the lock for the whole time, but no transaction: `work` may
   * commit many short ones.
   */
  alone(work: () => Promise<void>, lock: number): Promise<void> {
    return this.capabilities.alone(this.autocommit as unknown as Kysely<never>, lock, work);
  }

  /** Returns how many other servers and commands are connected to the database now. Always 0 on SQLite. */
  othersConnected(within: State = this.autocommit): Promise<number> {
    return this.capabilities.othersConnected(within as unknown as Kysely<never>);
  }

  async close(): Promise<void> {
    await this.#apart?.destroy();
    await this.autocommit.destroy();
  }
}

/** Numbers of the locks. Each protects one kind of decision that must see all earlier decisions of that kind. */
export const LOCK = {
  claim: 4711,
  migrate: 4712,
  users: 4713,
  retention: 4714,
  hosts: 4715,
  logs: 4716,
  signIn: 4717,
  auditFile: 4718,
  auditSyslog: 4719,
  auditHttps: 4720,
  failures: 4721,
  logMoves: 4722,
} as const;

export type Logs = Kysely<LogSchema>;
