import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult } from 'kysely';

/** Prepared statements are kept: preparing costs more than most of our queries. */
const MAX_STATEMENTS = 500;

/** Such a pragma has no columns, and yet does one part of its work for each row that is asked for. */
const WORKS_ROW_BY_ROW = /^pragma incremental_vacuum/;

interface Prepared {
  readonly statement: StatementSync;
  /** Whether it is carried on to its end; asked once: to describe every column costs as much as a small query. */
  readonly hasRows: boolean;
}

class SqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, Prepared>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  #prepare(sql: string): Prepared {
    const known = this.#statements.get(sql);
    if (known) return known;
    if (this.#statements.size >= MAX_STATEMENTS) this.#statements.clear();
    const statement = this.#database.prepare(sql);
    const prepared = { statement, hasRows: statement.columns().length > 0 || WORKS_ROW_BY_ROW.test(sql) };
    this.#statements.set(sql, prepared);
    return prepared;
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    try {
      const { statement, hasRows } = this.#prepare(query.sql);
      const values = query.parameters as SQLInputValue[];
      if (hasRows) return Promise.resolve({ rows: statement.all(...values) as R[] });
      const { changes, lastInsertRowid } = statement.run(...values);
      return Promise.resolve({ rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) });
    } catch (error) {
      return Promise.reject(error);
    }
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    for (const row of this.#prepare(query.sql).statement.iterate(...(query.parameters as SQLInputValue[])))
      yield { rows: [row as R] };
  }
}

/**
 * One connection for all: SQLite has one writer anyway, and a transaction holds the connection until it ends, so that
 * nobody reads what is not committed.
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
    const before = this.#tail;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#tail = promise;
    await before;
    if (!this.#connection) throw new Error('The database is closed.');
    this.#releases.set(this.#connection, resolve);
    return this.#connection;
  }

  /** Immediate: a transaction that will write must not find out half-way that another process writes. */
  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'));
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('rollback'));
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
