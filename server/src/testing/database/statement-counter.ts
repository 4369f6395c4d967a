import type { CompiledQuery, DatabaseConnection, Dialect, QueryResult } from 'kysely';

/** Called with the number of each statement, starting with 1, a function that runs it, and its text. */
export type OnStatement = <R>(
  number: number,
  run: () => Promise<QueryResult<R>>,
  text: string,
) => Promise<QueryResult<R>>;

/** Numbers every statement of the given dialects, including `begin` and `commit`. */
export class StatementCounter {
  readonly #on: OnStatement;
  readonly #watched = new WeakSet<DatabaseConnection>();
  count = 0;

  constructor(on: OnStatement) {
    this.#on = on;
  }

  #watch(connection: DatabaseConnection): DatabaseConnection {
    if (this.#watched.has(connection)) return connection;
    this.#watched.add(connection);
    const execute = connection.executeQuery.bind(connection) as <R>(query: CompiledQuery) => Promise<QueryResult<R>>;
    // Changes the object itself, because drivers compare connections by identity.
    connection.executeQuery = <R>(query: CompiledQuery) => {
      this.count += 1;
      return this.#on<R>(this.count, () => execute<R>(query), query.sql);
    };
    return connection;
  }

  wrap(dialect: Dialect): Dialect {
    return {
      createAdapter: () => dialect.createAdapter(),
      createQueryCompiler: () => dialect.createQueryCompiler(),
      createIntrospector: (db) => dialect.createIntrospector(db),
      createDriver: () => {
        const driver = dialect.createDriver();
        const acquire = driver.acquireConnection.bind(driver);
        driver.acquireConnection = async (...args) => this.#watch(await acquire(...args));
        return driver;
      },
    };
  }
}
