import { type Kysely, sql } from 'kysely';
import type { Database, Logs } from '../../database/database.ts';
import { openLogsFile } from '../../database/logs-file.ts';
import { openDatabase } from '../../database/open-database.ts';
import type { TestLocation } from './databases.ts';

/** The schema and every row of state or logs, as comparable texts. */
export interface PartSnapshot {
  readonly steps: readonly string[];
  readonly schema: readonly string[];
  readonly rows: Readonly<Record<string, readonly string[]>>;
}

export interface Snapshot {
  readonly state: PartSnapshot;
  readonly logs: PartSnapshot;
}

type Db = Kysely<unknown>;

const isOfLogs = (table: string): boolean => ['log_head', 'log_block'].includes(table);

/** The migrator's own tables. The completed steps are compared separately. */
const isBookkeeping = (table: string): boolean => /(^|_)migration(_lock)?$/.test(table);

/** A line of the schema, with its table. */
type SchemaLine = { readonly tbl: string; readonly line: string };

const sqliteSchema = async (db: Db): Promise<SchemaLine[]> =>
  (
    await sql<SchemaLine>`
      select tbl_name as tbl, type || ' ' || name || ' ' || coalesce(sql, '') as line from sqlite_master`.execute(db)
  ).rows;

const postgresSchema = async (db: Db): Promise<SchemaLine[]> =>
  (
    await sql<SchemaLine>`
      select table_name as tbl, concat_ws(' ', 'column', ordinal_position, column_name, data_type, is_nullable,
        column_default, is_identity, identity_generation) as line
      from information_schema.columns where table_schema = 'public'
      union all
      select tablename, indexdef from pg_indexes where schemaname = 'public'
      union all
      select conrelid::regclass::text, conname || ' ' || pg_get_constraintdef(oid)
      from pg_constraint where connamespace = 'public'::regnamespace`.execute(db)
  ).rows;

const tablesOf = async (db: Db): Promise<string[]> =>
  (await db.introspection.getTables({ withInternalKyselyTables: true }))
    // Reading a view may change a counter.
    .filter(({ isView }) => !isView)
    .map(({ name }) => name)
    .toSorted();

const asText = (row: object): string =>
  JSON.stringify(row, (_key, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
  );

const rowsOf = async (db: Db, table: string): Promise<string[]> =>
  (await sql<object>`select * from ${sql.table(table)}`.execute(db)).rows.map(asText).toSorted();

const partOf = async (
  db: Db,
  readSchema: (db: Db) => Promise<SchemaLine[]>,
  isMine: (table: string) => boolean,
  bookkeeping: string,
): Promise<PartSnapshot> => {
  const tables = await tablesOf(db);
  const isOwn = (table: string): boolean => isMine(table) && !isBookkeeping(table);
  const rows: Record<string, string[]> = {};
  for (const table of tables.filter(isOwn)) rows[table] = await rowsOf(db, table);
  return {
    steps: tables.includes(bookkeeping)
      ? (await sql<{ name: string }>`select name from ${sql.table(bookkeeping)} order by name`.execute(db)).rows.map(
          ({ name }) => name,
        )
      : [],
    schema: (await readSchema(db))
      .filter(({ tbl }) => isOwn(tbl))
      .map(({ line }) => line)
      .toSorted(),
    rows,
  };
};

/** Opens the database of a location and, if there is one, the log file. Migrates nothing. */
export const withOpenLocation = async <T>(
  { folder, databaseUrl }: TestLocation,
  work: (database: Database, logs: Logs | undefined) => Promise<T>,
): Promise<T> => {
  const database = openDatabase(databaseUrl === undefined ? { folder } : { url: databaseUrl });
  const logs = databaseUrl === undefined ? openLogsFile(folder) : undefined;
  try {
    return await work(database, logs);
  } finally {
    await logs?.destroy();
    await database.close();
  }
};

/** The part of a snapshot that a backup with API tokens contains, see `isLeftOut`. */
export const withoutSignIns = ({ state, logs }: Snapshot): Snapshot => ({
  state: {
    ...state,
    rows: {
      ...state.rows,
      ...{ session: [], held_sign_in: [], sign_in_attempt: [], address_proof: [], server_keys: [], last_backup: [] },
    },
  },
  logs,
});

export const snapshotOf = (location: TestLocation): Promise<Snapshot> =>
  withOpenLocation(location, async (database, logs) => {
    const state = database.autocommit as unknown as Db;
    const schema = logs ? sqliteSchema : postgresSchema;
    return {
      state: await partOf(state, schema, (table) => !isOfLogs(table), 'migration'),
      logs: await partOf((logs as unknown as Db) ?? state, schema, isOfLogs, 'log_migration'),
    };
  });
