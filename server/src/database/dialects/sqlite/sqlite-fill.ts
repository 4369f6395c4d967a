import { closeSync, fsyncSync, openSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { Cell, Part, SnapshotTable, SnapshotWriter } from '../../snapshot.ts';

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** An error in the data: a row refers to a row that does not exist. */
export class DanglingRows extends Error {
  override readonly name = 'DanglingRows';
}

/** Where SQLite stores the highest id of each table. Backups of older versions have the second table, or neither. */
const COUNTERS = [
  { table: 'sqlite_sequence', column: 'seq' },
  { table: 'newest_gone', column: 'id' },
] as const;

/** Sets the next id of each table. */
const setCounters = (database: DatabaseSync, nextIds: Readonly<Record<string, number>>): void => {
  const counter = COUNTERS.find(({ table }) =>
    database.prepare('select name from sqlite_schema where name = ?').get(table),
  );
  if (!counter) return;
  const { table: counters, column } = counter;
  const deleteCounter = database.prepare(`delete from ${counters} where name = ?`);
  const remember = database.prepare(`insert into ${counters} (name, ${column}) values (?, ?)`);
  for (const [table, next] of Object.entries(nextIds)) {
    const newest = database.prepare(`select max(id) as id from ${quoted(table)}`).get();
    deleteCounter.run(table);
    remember.run(table, Math.max(next - 1, Number(newest?.id ?? 0)));
  }
};

const finish = (database: DatabaseSync): void => {
  const dangling = database.prepare('pragma foreign_key_check').get();
  if (dangling) throw new DanglingRows(`A row of ${String(dangling.table)} refers to a row that does not exist.`);
  database.exec('commit');
  database.exec('pragma wal_checkpoint(truncate)');
  // All data is in one file that can be moved. The server switches the journal on again.
  database.exec('pragma journal_mode = delete');
};

const sync = (file: string): void => {
  const descriptor = openSync(file, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
};

/** Fills two migrated, empty files. They are synced to disk when this returns. */
export const fillSqlite = async <T>(
  files: Readonly<Record<Part, string>>,
  nextIds: Readonly<Record<string, number>>,
  work: (writer: SnapshotWriter) => Promise<T>,
): Promise<T> => {
  const open = (file: string): DatabaseSync => new DatabaseSync(file, { enableForeignKeyConstraints: false });
  const databases = { state: open(files.state), logs: open(files.logs) };
  let insert: StatementSync | undefined;
  let result: T;
  try {
    for (const database of Object.values(databases)) {
      // No process reads the files before they are complete and synced.
      database.exec('pragma synchronous = off');
      database.exec('begin immediate');
    }
    result = await work({
      begin: ({ name, part, columns }: SnapshotTable) => {
        const placeholders = columns.map(() => '?').join(', ');
        insert = databases[part].prepare(
          `insert into ${quoted(name)} (${columns.map(quoted).join(', ')}) values (${placeholders})`,
        );
        return Promise.resolve();
      },
      add: (row: readonly Cell[]) => void insert?.run(...row),
    });
    setCounters(databases.state, nextIds);
    for (const database of Object.values(databases)) finish(database);
  } finally {
    for (const database of Object.values(databases)) database.close();
  }
  for (const file of Object.values(files)) sync(file);
  return result;
};
