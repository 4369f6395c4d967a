import { DatabaseSync } from 'node:sqlite';
import { type Dialect, type Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { SqliteDriver } from './sqlite-driver.ts';

/** SQLite does roll back DDL; the stock adapter says it does not, and would leave half a migration behind. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** How long opening waits for another process (the command line) to finish its transaction, in milliseconds. */
const OPEN_BUSY_MS = 5_000;
/** How long a statement holds up this whole process for that; the driver then waits on without holding it up. */
const BUSY_MS = 10;

const open = (file: string): DatabaseSync => {
  // `defensive` forbids the edit of the schema in makeAutoincrement, which is a migration.
  const database = new DatabaseSync(file, { timeout: OPEN_BUSY_MS, defensive: false });
  // Before the first table, else it has no effect.
  database.exec('pragma auto_vacuum = incremental');
  database.exec('pragma journal_mode = wal');
  // What was answered must survive a power cut.
  database.exec('pragma synchronous = full');
  database.exec('pragma foreign_keys = on');
  database.exec(`pragma busy_timeout = ${BUSY_MS}`);
  return database;
};

/** A Kysely dialect on the SQLite that Node brings. `file` may be `:memory:`. */
export const sqliteDialect = (file: string): Dialect => ({
  createAdapter: () => new TransactionalSqliteAdapter(),
  createDriver: () => new SqliteDriver(() => open(file)),
  createQueryCompiler: () => new SqliteQueryCompiler(),
  createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
});
