import { type Kysely, sql } from 'kysely';
import { isUsable, type Requirements } from './compatibility.ts';
import type { Database } from './database.ts';
import { completedSteps, newerVersionError, STATE_STEPS, type Steps } from './migrate.ts';
import { REQUIREMENTS } from './migrations/requirements.ts';
import { REWRITTEN_TABLES } from './migrations/rewritten-tables.ts';
import { MIGRATION_TABLE } from './snapshot.ts';

/** A large table that migrations read or change completely. */
export interface RewrittenTable {
  readonly name: string;
  readonly rows: number;
  /** Estimated time of all migrations that rewrite it, in seconds. */
  readonly seconds: number;
}

export interface UpgradePlan {
  /** The database program. */
  readonly database: 'SQLite' | 'PostgreSQL';
  /** Whether several servers can use it. */
  readonly isShared: boolean;
  /** The newest migration of the database, and of this version. */
  readonly current: string;
  readonly next: string;
  readonly migrations: readonly string[];
  /** Migrations after which servers of the version that made the database fail. */
  readonly breaking: readonly string[];
  /** Whether a server of the version that made the database can be restarted after the migration. */
  readonly canRestart: boolean;
  readonly tables: readonly RewrittenTable[];
  /** When the last backup was written; null if that is not known. */
  readonly lastBackup: string | null;
  /** Each version that runners have reported, with the number of runners. */
  readonly runners: readonly { readonly version: string; readonly count: number }[];
}

/** Measured for the events of an old version: seconds that a million rows take. */
const SECONDS_PER_MILLION = { SQLite: 15, PostgreSQL: 40 };

const hasColumn = async (db: Kysely<unknown>, table: string, column: string): Promise<boolean> =>
  (await db.introspection.getTables()).some(
    ({ name, columns }) => name === table && columns.some((one) => one.name === column),
  );

/** None for a table that a later migration creates. */
const countRows = async (db: Kysely<unknown>, table: string): Promise<number> => {
  if (!(await db.introspection.getTables()).some(({ name }) => name === table)) return 0;
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(db);
  return Number(rows[0]?.count ?? 0);
};

const backupIn = async (db: Kysely<unknown>): Promise<string | null> => {
  if (!(await hasColumn(db, 'last_backup', 'made'))) return null;
  return (await sql<{ made: string }>`select made from last_backup`.execute(db)).rows[0]?.made ?? null;
};

const runnersIn = async (db: Kysely<unknown>): Promise<UpgradePlan['runners']> => {
  if (!(await hasColumn(db, 'runner', 'version'))) return [];
  const { rows } = await sql<{ version: string; count: number }>`
    select version, count(*) as count from runner where version <> '' group by version order by version`.execute(db);
  return rows.map(({ version, count }) => ({ version, count: Number(count) }));
};

/**
 * Returns what this version would do to a database. Changes nothing.
 * @throws StartError when a newer version has changed the database in a way that this version does not support
 */
export const readUpgradePlan = async (
  { autocommit, capabilities }: Database,
  steps: Steps = STATE_STEPS,
  requirements: Requirements = REQUIREMENTS,
): Promise<UpgradePlan> => {
  const db = autocommit as unknown as Kysely<unknown>;
  const done = await completedSteps(db, MIGRATION_TABLE.state);
  const isKnown = (name: string): boolean => name in steps;
  const newer = done.filter((name) => !isKnown(name));
  if (!(await isUsable(db, newer, isKnown))) throw newerVersionError();
  const names = Object.keys(steps).toSorted();
  const migrations = names.filter((name) => !done.includes(name));
  const breaking = migrations.filter((name) => {
    const requires = requirements[name];
    return requires !== undefined && !done.includes(requires);
  });
  const program = capabilities.logsApart ? 'SQLite' : 'PostgreSQL';
  const tables: RewrittenTable[] = [];
  const rewritten = migrations.flatMap((name) => REWRITTEN_TABLES[name] ?? []);
  for (const name of new Set(rewritten)) {
    const times = rewritten.filter((one) => one === name).length;
    const rows = await countRows(db, name);
    tables.push({ name, rows, seconds: Math.ceil((rows * times * SECONDS_PER_MILLION[program]) / 1_000_000) });
  }
  return {
    database: program,
    isShared: !capabilities.logsApart,
    current: done.at(-1) ?? '',
    next: names.at(-1) ?? '',
    migrations,
    breaking,
    canRestart: breaking.length === 0 && done.includes('0079-migration-requirements'),
    tables,
    lastBackup: await backupIn(db),
    runners: await runnersIn(db),
  };
};
