import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult } from 'kysely';

/** Maximum number of cached prepared statements. Preparing takes longer than most queries. */
const MAX_STATEMENTS = 500;

/** This pragma has no result columns but does one part of its work per row that is read. */
const WORKS_ROW_BY_ROW = /^pragma incremental_vacuum/;

const BUSY = 5;

/**
 * Maximum total wait for another process, in milliseconds, counted from the request for the connection. Shorter than
 * a caller may wait.
 */
const WAIT_MS = 1_300;
const RETRY_MS = 20;

/** Approximate number of characters and bytes read per turn of the event loop. A single row may be longer. */
const MAX_LENGTH = 1024 * 1024;

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === BUSY;

interface Prepared {
  readonly statement: StatementSync;
  /**
   * Whether the statement returns rows. Determined once, because describing the columns costs as much as a small
   * query.
   */
  readonly hasRows: boolean;
  /** Converts the values of a row, in column order, into an object. */
  readonly toRow: (values: readonly unknown[]) => Record<string, unknown>;
}

/**
 * Creating row objects in JavaScript is faster than letting the SQLite binding create them. Each is a copy of an empty row:
 * an object that gets dozens of properties one by one is allocated again for every third of them.
 */
const rowMaker = (names: readonly string[]) => {
  const empty: Readonly<Record<string, unknown>> = Object.fromEntries(names.map((name) => [name, null]));
  return (values: readonly unknown[]): Record<string, unknown> => {
    const row = { ...empty };
    for (let index = 0; index < names.length; index++) row[names[index] as string] = values[index];
    return row;
  };
};

/**
 * Reads rows until they are so long that the event loop should continue.
 * @returns whether all rows were read
 */
const readSome = <R>(iterator: Iterator<unknown[]>, { toRow }: Prepared, rows: R[]): boolean => {
  for (let length = 0; length < MAX_LENGTH; ) {
    const { done, value } = iterator.next();
    if (done) return true;
    rows.push(toRow(value) as R);
    for (const cell of value) {
      if (typeof cell === 'string') length += cell.length;
      else if (cell instanceof Uint8Array) length += cell.byteLength;
    }
  }
  return false;
};

class SqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, Prepared>();
  #waitsUntil = 0;
  #wasBusy = false;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  #prepare(sql: string): Prepared {
    const known = this.#statements.get(sql);
    if (known) return known;
    if (this.#statements.size >= MAX_STATEMENTS) this.#statements.clear();
    const statement = this.#database.prepare(sql);
    statement.setReturnArrays(true);
    const names = statement.columns().map(({ name }) => name);
    const hasRows = names.length > 0 || WORKS_ROW_BY_ROW.test(sql);
    const prepared = { statement, hasRows, toRow: rowMaker(names) };
    this.#statements.set(sql, prepared);
    return prepared;
  }

  /** Called with the time, by `performance.now`, at which the next user asked for the connection. */
  takenOver(asked: number): void {
    // While another process is known to hold the database, later statements do not wait again.
    this.#waitsUntil = this.#wasBusy ? 0 : asked + WAIT_MS;
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    try {
      return Promise.resolve(this.#execute<R>(query));
    } catch (error) {
      return isBusy(error) ? this.#executeLater(query, error) : Promise.reject(error);
    }
  }

  /** SQLite's own waiting would block the whole process. */
  async #executeLater<R>(query: CompiledQuery, failure: unknown): Promise<QueryResult<R>> {
    for (let last = failure; ; ) {
      if (performance.now() > this.#waitsUntil) {
        this.#wasBusy = true;
        throw last;
      }
      await delay(RETRY_MS);
      try {
        return await this.#execute(query);
      } catch (error) {
        if (!isBusy(error)) throw error;
        last = error;
      }
    }
  }

  #execute<R>(query: CompiledQuery): QueryResult<R> | Promise<QueryResult<R>> {
    const prepared = this.#prepare(query.sql);
    const { statement, hasRows } = prepared;
    const values = query.parameters as SQLInputValue[];
    if (hasRows) {
      try {
        const iterator = statement.iterate(...values) as unknown as Iterator<unknown[]>;
        const rows: R[] = [];
        return readSome(iterator, prepared, rows) ? { rows } : this.#readOn(query.sql, iterator, prepared, rows);
      } catch (error) {
        throw this.#forget(query.sql, error);
      }
    }
    const { changes, lastInsertRowid } = statement.run(...values);
    // The lock is free: a transaction has begun, or a change was made.
    this.#wasBusy = false;
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  /** Reads the remaining rows. The statement stays valid because Kysely runs the queries of a connection one at a time. */
  async #readOn<R>(sql: string, iterator: Iterator<unknown[]>, prepared: Prepared, rows: R[]): Promise<QueryResult<R>> {
    try {
      do await nextTurn();
      while (!readSome(iterator, prepared, rows));
      return { rows };
    } catch (error) {
      throw this.#forget(sql, error);
    }
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    const { statement, toRow } = this.#prepare(query.sql);
    try {
      const rows = statement.iterate(...(query.parameters as SQLInputValue[])) as Iterable<unknown>;
      for (const values of rows) yield { rows: [toRow(values as unknown[]) as R] };
    } catch (error) {
      throw this.#forget(query.sql, error);
    }
  }

  /** Forgets a statement that failed while its rows were read: it would throw the same error at its next use. */
  #forget(sql: string, error: unknown): unknown {
    this.#statements.delete(sql);
    return error;
  }
}

/**
 * A driver with one connection. SQLite has one writer anyway, and a transaction keeps the connection until it ends,
 * so no other query reads uncommitted data.
 */
export class SqliteDriver implements Driver {
  readonly #open: () => DatabaseSync;
  #database: DatabaseSync | undefined;
  #connection: SqliteConnection | undefined;
  #tail: Promise<void> = Promise.resolve();
  readonly #releases = new Map<DatabaseConnection, () => void>();

  constructor(open: () => DatabaseSync) {
    this.#open = open;
  }

  init(): Promise<void> {
    this.#database = this.#open();
    this.#connection = new SqliteConnection(this.#database);
    return Promise.resolve();
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    const asked = performance.now();
    const before = this.#tail;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#tail = promise;
    await before;
    if (!this.#connection) throw new Error('The database is closed.');
    this.#releases.set(this.#connection, resolve);
    this.#connection.takenOver(asked);
    return this.#connection;
  }

  /** Immediate, because a transaction that writes must not fail half-way when another process writes. */
  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'));
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // SQLite rolls back by itself when the disk is full. A second rollback would hide the original error.
    if (this.#database?.isTransaction) await connection.executeQuery(CompiledQuery.raw('rollback'));
  }

  releaseConnection(connection: DatabaseConnection): Promise<void> {
    this.#releases.get(connection)?.();
    return Promise.resolve();
  }

  destroy(): Promise<void> {
    this.#connection = undefined;
    this.#database?.close();
    return Promise.resolve();
  }
}
