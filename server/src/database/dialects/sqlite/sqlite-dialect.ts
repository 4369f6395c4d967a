import { DatabaseSync } from 'node:sqlite';
import { type Dialect, type Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { SqliteDriver } from './sqlite-driver.ts';

/**
 * SQLite supports transactional DDL. The default adapter denies that, which would leave a migration half
 * done.
 */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** How long opening waits for the transaction of another process, such as a command, in milliseconds. */
const OPEN_BUSY_MS = 5_000;
/**
 * How long a statement blocks the process while another process writes, in milliseconds. After that the driver waits
 * without blocking.
 */
const BUSY_MS = 10;

const open = (file: string): DatabaseSync => {
  // `defensive` forbids the edit of the schema in makeAutoincrement, which is a migration.
  const database = new DatabaseSync(file, { timeout: OPEN_BUSY_MS, defensive: false });
  // Only effective before the first table is created.
  database.exec('pragma auto_vacuum = incremental');
  database.exec('pragma journal_mode = wal');
  // Committed data must survive a power cut.
  database.exec('pragma synchronous = full');
  database.exec('pragma foreign_keys = on');
  database.exec(`pragma busy_timeout = ${BUSY_MS}`);
  return database;
};

/** Creates a Kysely dialect for the SQLite that is built into Node. `file` may be `:memory:`. */
export const sqliteDialect = (file: string): Dialect => ({
  createAdapter: () => new TransactionalSqliteAdapter(),
  createDriver: () => new SqliteDriver(() => open(file)),
  createQueryCompiler: () => new SqliteQueryCompiler(),
  createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
});
