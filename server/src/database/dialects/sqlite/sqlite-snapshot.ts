import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { type Cell, isData, MIGRATION_TABLE, type Part, type Snapshot, type SnapshotTable } from '../../snapshot.ts';

/** Maximum wait for a writer, in milliseconds. */
const BUSY_MS = 10_000;

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const texts = (database: DatabaseSync, sql: string): string[] =>
  database
    .prepare(sql)
    .all()
    .map((row) => String(Object.values(row)[0]));

const numberOf = (database: DatabaseSync, sql: string): number =>
  Number(Object.values(database.prepare(sql).get() ?? {})[0] ?? 0);

const tablesOf = (database: DatabaseSync, part: Part): SnapshotTable[] =>
  texts(database, `select name from sqlite_master where type = 'table' order by name`)
    .filter(isData)
    .map((name) => ({
      name,
      part,
      columns: texts(database, `select name from pragma_table_info('${name}') order by cid`),
      rows: numberOf(database, `select count(*) from ${quoted(name)}`),
    }));

const nextIdsOf = (database: DatabaseSync, tables: readonly SnapshotTable[]): Record<string, number> => {
  const has = (name: string): boolean =>
    numberOf(database, `select count(*) from sqlite_schema where name = '${name}'`) > 0;
  const [hasCounters, hasDeleted] = [has('sqlite_sequence'), has('newest_gone')];
  return Object.fromEntries(
    tables
      .filter(({ columns }) => columns.includes('id'))
      .map(({ name }) => {
        const newest = numberOf(database, `select max(id) from ${quoted(name)}`);
        const counted = hasCounters ? numberOf(database, `select seq from sqlite_sequence where name = '${name}'`) : 0;
        const deleted = hasDeleted ? numberOf(database, `select id from newest_gone where name = '${name}'`) : 0;
        return [name, Math.max(newest, counted, deleted) + 1];
      }),
  );
};

/** Next id of each table in a `signalbox.db` file; empty if the file is missing or cannot be read. */
export const nextIdsInFile = (file: string): Record<string, number> => {
  if (!existsSync(file)) return {};
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout: BUSY_MS });
    return nextIdsOf(database, tablesOf(database, 'state'));
  } catch {
    // A damaged file may be the reason for the restore.
    return {};
  } finally {
    database?.close();
  }
};

function* rowsOf(database: DatabaseSync, { name, columns }: SnapshotTable): Generator<readonly Cell[]> {
  const statement = database.prepare(`select ${columns.map(quoted).join(', ')} from ${quoted(name)} order by rowid`);
  statement.setReturnArrays(true);
  yield* statement.iterate() as unknown as Iterable<Cell[]>;
}

/** Reads both files as of one moment. Writers are blocked for a few milliseconds only. */
export const withSqliteSnapshot = async <T>(
  files: Readonly<Record<Part, string>>,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> => {
  const opened: DatabaseSync[] = [];
  const open = (file: string): DatabaseSync => {
    const database = new DatabaseSync(file, { timeout: BUSY_MS });
    opened.push(database);
    return database;
  };
  try {
    const guards = [open(files.state), open(files.logs)];
    const [state, logs] = [open(files.state), open(files.logs)];
    for (const guard of guards) guard.exec('begin immediate');
    for (const reader of [state, logs]) {
      reader.exec('begin');
      // The first read starts the snapshot.
      reader.prepare('select count(*) from sqlite_master').get();
    }
    for (const guard of guards) guard.exec('rollback');
    const stateTables = tablesOf(state, 'state');
    return await work({
      tables: [...stateTables, ...tablesOf(logs, 'logs')],
      steps: {
        state: texts(state, `select name from ${MIGRATION_TABLE.state} order by name`),
        logs: texts(logs, `select name from ${MIGRATION_TABLE.logs} order by name`),
      },
      nextIds: nextIdsOf(state, stateTables),
      rows: (table) => rowsOf(table.part === 'state' ? state : logs, table),
    });
  } finally {
    for (const database of opened) database.close();
  }
};
