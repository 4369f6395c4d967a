import { type SqlBool, sql } from 'kysely';
import type { Capabilities } from '../capabilities.ts';
import { caseVariants } from '../case-variants.ts';
import { makeAutoincrement } from './sqlite-autoincrement.ts';
import { copyFile } from './sqlite-copy.ts';
import { sqliteState } from './sqlite-state.ts';

const CONSTRAINT_UNIQUE = 2067;
const CONSTRAINT_PRIMARY_KEY = 1555;
const CONSTRAINT_FOREIGN_KEY = 787;
const NO_SUCH_TABLE_OR_COLUMN = 1;
const CONSTRAINT = 19;
const MISMATCH = 20;
const BUSY = 5;
const CANNOT_OPEN = 14;
const IO_ERROR = 10;
const DISK_FULL = 13;
const CORRUPT = 11;
const NOT_A_DATABASE = 26;

const errcode = (error: unknown): number | undefined =>
  typeof error === 'object' && error !== null && 'errcode' in error ? Number(error.errcode) : undefined;

const isOneOf = (error: unknown, ...codes: number[]): boolean => codes.includes((errcode(error) ?? -1) & 0xff);

/** A pattern of `glob` for a text in any case. A bracket and wildcards are literal within brackets. */
const globOf = (text: string): string =>
  caseVariants(text)
    .map((cases) => (cases.length > 1 || '*?['.includes(cases[0] ?? '') ? `[${cases.join('')}]` : cases[0]))
    .join('');

export const sqliteCapabilities: Capabilities = {
  name: 'sqlite',
  isShared: false,
  // `begin immediate` allows only one transaction at a time.
  lock: () => Promise.resolve(),
  lockEach: () => Promise.resolve(),
  // Only one server uses the folder.
  alone: (_db, _number, work) => work(),
  othersConnected: () => Promise.resolve(0),
  isTaken: (error) => [CONSTRAINT_UNIQUE, CONSTRAINT_PRIMARY_KEY].includes(errcode(error) ?? -1),
  isUnavailable: (error) => isOneOf(error, BUSY, CANNOT_OPEN, DISK_FULL, IO_ERROR),
  isBusy: (error) => isOneOf(error, BUSY),
  isFull: (error) => isOneOf(error, DISK_FULL),
  isMisfit: (error) => isOneOf(error, NO_SUCH_TABLE_OR_COLUMN, CONSTRAINT, MISMATCH),
  isDangling: (error) => errcode(error) === CONSTRAINT_FOREIGN_KEY,
  // There is only one writer, so deadlocks are impossible.
  isDeadlock: () => false,
  whyNotOpened: (error) =>
    error instanceof Error && isOneOf(error, BUSY, CANNOT_OPEN, DISK_FULL, CORRUPT, NOT_A_DATABASE)
      ? `The database in the data folder cannot be opened (${error.message}).`
      : undefined,
  columns: { id: 'integer', idOnce: 'integer primary key autoincrement', bytes: 'blob', long: 'integer' },
  walksForRare: false,
  matches: (column, text, where) => sql<SqlBool>`${column} glob ${`${where === 'part' ? '*' : ''}${globOf(text)}*`}`,
  logsApart: true,
  copyBefore: (db, step) => copyFile(db, step),
  // By default SQLite reuses the id of the newest row after it was deleted.
  neverReuseIds: async (db, table) => {
    const [rows, deleted, view] = [sql.table(table), sql.table(`${table}_gone`), sql.table(`next_${table}_id`)];
    await sql`create table if not exists newest_gone (name text primary key, id integer not null)`.execute(db);
    await sql`insert into newest_gone (name, id) values (${sql.lit(table)}, 0)`.execute(db);
    await sql`
      create trigger ${deleted} after delete on ${rows} begin
        update newest_gone set id = old.id where name = ${sql.lit(table)} and id < old.id;
      end`.execute(db);
    await sql`
      create view ${view} as
      select max(coalesce((select max(id) from ${rows}), 0), id) + 1 as id from newest_gone where name = ${sql.lit(table)}
    `.execute(db);
  },
  neverReuseAnyId: async (db) => {
    await makeAutoincrement(db);
    const { rows } = await sql<{ name: string }>`select name from newest_gone`.execute(db);
    for (const { name } of rows) {
      await sql`drop view if exists ${sql.table(`next_${name}_id`)}`.execute(db);
      await sql`drop trigger if exists ${sql.table(`${name}_gone`)}`.execute(db);
    }
    await sql`drop table newest_gone`.execute(db);
  },
  state: sqliteState,
  tidy: async (db) => {
    await sql`pragma incremental_vacuum(200)`.execute(db);
  },
};
