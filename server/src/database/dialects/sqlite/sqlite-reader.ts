import { Worker } from 'node:worker_threads';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { ThreadCalls } from '../../../thread-calls.ts';

export interface ReaderSettings {
  readonly file: string;
}

export interface ReaderCall {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** Time without a query after which the thread ends, in milliseconds. It needs memory, and starts within milliseconds. */
const IDLE_MS = 60_000;

const startThread = (file: string): Worker => {
  const workerData: ReaderSettings = { file };
  const thread = new Worker(new URL('./sqlite-reader.worker.ts', import.meta.url), { workerData });
  thread.unref();
  return thread;
};

/** Its only connection can be used by several queries at once, because each is a read of its own. */
class ReaderDriver implements Driver, DatabaseConnection {
  readonly #calls: ThreadCalls<ReaderCall>;
  #idle: NodeJS.Timeout | undefined;

  constructor(file: string, onLost: (error: Error) => void) {
    this.#calls = new ThreadCalls({ name: 'long queries', start: () => startThread(file), onLost });
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    clearTimeout(this.#idle);
    try {
      return { rows: await this.#calls.call({ sql, parameters }) };
    } finally {
      clearTimeout(this.#idle);
      this.#idle = setTimeout(() => this.#releaseIdle(), IDLE_MS).unref();
    }
  }

  #releaseIdle(): void {
    if (this.#calls.pending === 0) this.#calls.release();
  }

  init(): Promise<void> {
    return Promise.resolve();
  }

  acquireConnection(): Promise<DatabaseConnection> {
    return Promise.resolve(this);
  }

  releaseConnection(): Promise<void> {
    return Promise.resolve();
  }

  beginTransaction(): Promise<void> {
    return Promise.reject(new Error('A reader has no transactions.'));
  }

  commitTransaction(): Promise<void> {
    return this.beginTransaction();
  }

  rollbackTransaction(): Promise<void> {
    return this.beginTransaction();
  }

  // biome-ignore lint/correctness/useYield: no query of a reader is streamed
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('A reader has no streams.');
  }

  destroy(): Promise<void> {
    clearTimeout(this.#idle);
    this.#calls.close();
    this.#calls.release();
    return Promise.resolve();
  }
}

/**
 * Creates a Kysely dialect that reads a SQLite file on a thread of its own, so that the event loop answers requests while a long
 * query runs. A query sees everything that was committed before it began.
 */
export const sqliteReaderDialect = (file: string, onLost: (error: Error) => void): Dialect => ({
  createAdapter: () => new SqliteAdapter(),
  createDriver: () => new ReaderDriver(file, onLost),
  createQueryCompiler: () => new SqliteQueryCompiler(),
  createIntrospector: (db) => new SqliteIntrospector(db),
});
