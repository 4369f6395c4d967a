import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { StartError } from '../start-error.ts';
import { Database } from './database.ts';
import type { Capabilities } from './dialects/capabilities.ts';
import { postgresCapabilities } from './dialects/postgres/postgres-capabilities.ts';
import { emptySchema, fillPostgres, nextIdsInServer } from './dialects/postgres/postgres-fill.ts';
import { withPostgresSnapshot } from './dialects/postgres/postgres-snapshot.ts';
import { sqliteCapabilities } from './dialects/sqlite/sqlite-capabilities.ts';
import { DanglingRows, fillSqlite } from './dialects/sqlite/sqlite-fill.ts';
import { nextIdsInFile, withSqliteSnapshot } from './dialects/sqlite/sqlite-snapshot.ts';
import { LOGS_FILE } from './file-names.ts';
import { openLogsFile } from './logs-file.ts';
import { LOG_STEPS, migrateAll, newerVersionError, STATE_STEPS, type Steps } from './migrate.ts';
import { RENAMED_TABLES } from './migrations/0039-column-names.ts';
import { type DatabaseLocation, openDatabase, STATE_FILE } from './open-database.ts';
import type { Part, Snapshot, SnapshotWriter } from './snapshot.ts';

/** An unused folder, and the folder whose files it will replace. */
interface FolderToFill {
  readonly folder: string;
  readonly replaces?: string;
}

/** Header of a copy, before its rows. */
export type CopyHeader = Pick<Snapshot, 'steps' | 'nextIds'>;

const filesIn = (folder: string): Record<Part, string> => ({
  state: join(folder, STATE_FILE),
  logs: join(folder, LOGS_FILE),
});

/** Reads a consistent copy of everything that is stored, while servers write. */
export const withSnapshot = <T>(location: DatabaseLocation, work: (snapshot: Snapshot) => Promise<T>): Promise<T> =>
  'url' in location ? withPostgresSnapshot(location.url, work) : withSqliteSnapshot(filesIn(location.folder), work);

const pick = (steps: Steps, names: readonly string[]): Steps =>
  Object.fromEntries(
    names.map((name) => {
      const step = Object.hasOwn(steps, name) ? steps[name] : undefined;
      if (!step) throw newerVersionError();
      return [name, step];
    }),
  );

const stepsOf = ({ steps }: CopyHeader) => ({
  state: pick(STATE_STEPS, steps.state),
  logs: pick(LOG_STEPS, steps.logs),
});

/** Runs a query on an existing database and closes it. */
const queryDatabase = async <T>(location: DatabaseLocation, query: (database: Database) => Promise<T>): Promise<T> => {
  const database = openDatabase(location);
  try {
    return await query(database);
  } catch (error) {
    const why = database.capabilities.whyNotOpened(error);
    throw why === undefined ? error : new StartError(why);
  } finally {
    await database.close();
  }
};

const hasUsersTable = async ({ autocommit }: Database): Promise<boolean> => {
  const tables = await autocommit.introspection.getTables();
  return tables.some(({ name }) => name === 'users');
};

/**
 * Whether a server has set up its database at this location. Nothing is created.
 * @throws StartError when the database cannot be opened
 */
export const hasState = async (location: DatabaseLocation): Promise<boolean> => {
  if ('folder' in location) return existsSync(filesIn(location.folder).state);
  return await queryDatabase(location, hasUsersTable);
};

/**
 * Whether a restore to this location would overwrite nothing.
 * @throws StartError when the database cannot be opened
 */
export const holdsNothing = async (location: DatabaseLocation): Promise<boolean> => {
  if ('folder' in location) return !Object.values(filesIn(location.folder)).some((file) => existsSync(file));
  return await queryDatabase(location, async (database) => {
    if (!(await hasUsersTable(database))) return true;
    return (await database.read.selectFrom('users').select('id').limit(1).execute()).length === 0;
  });
};

/** Converts an error of a restore into a message. */
const explained = (error: unknown, { isFull, isMisfit }: Capabilities): unknown => {
  if (isFull(error)) return new StartError('The disk is too small for the content of the backup. Nothing was changed.');
  if (isMisfit(error) || error instanceof DanglingRows)
    return new StartError(
      `The content of the backup is inconsistent (${(error as Error).message}). Nothing was changed.`,
    );
  return error;
};

/**
 * Takes the higher next id of each table: runners and API clients may know ids that were assigned after the backup.
 * Leaves out tables that are newer than the backup: they do not exist until a later migration creates them.
 */
const withNextIdsOf = (header: CopyHeader, replaced: Readonly<Record<string, number>>): CopyHeader['nextIds'] =>
  Object.fromEntries(
    Object.entries(header.nextIds).map(([table, next]) => {
      const names = [table, RENAMED_TABLES[table] ?? table];
      return [table, Math.max(next, ...names.map((name) => replaced[name] ?? 1))];
    }),
  );

const fillFiles = async <T>(
  { folder, replaces }: FolderToFill,
  header: CopyHeader,
  work: (writer: SnapshotWriter) => Promise<T>,
): Promise<T> => {
  const database = openDatabase({ folder });
  const logs = openLogsFile(folder);
  try {
    await migrateAll(database, logs, stepsOf(header));
  } finally {
    await logs.destroy();
    await database.close();
  }
  const nextIds = withNextIdsOf(header, replaces === undefined ? {} : nextIdsInFile(filesIn(replaces).state));
  return await fillSqlite(filesIn(folder), nextIds, work);
};

const fillServer = async <T>(
  url: string,
  header: CopyHeader,
  work: (writer: SnapshotWriter) => Promise<T>,
): Promise<T> => {
  const database = openDatabase({ url });
  try {
    if ((await database.othersConnected()) > 0)
      throw new StartError('A server is connected to the database: stop every server first.');
    return await database.autocommit.transaction().execute(async (tx) => {
      const db = tx as unknown as Kysely<never>;
      const nextIds = withNextIdsOf(header, await nextIdsInServer(db));
      await emptySchema(db);
      await migrateAll(new Database(tx, database.capabilities), undefined, stepsOf(header));
      return await fillPostgres(db, nextIds, work);
    });
  } finally {
    await database.close();
  }
};

/**
 * Fills a location with a copy, in the version of the copy; the next start migrates it. In a database either
 * everything is stored or nothing changes. New rows never get an id that the replaced database used.
 * @param work passes the rows to the writer; if it throws, the location is unchanged
 * @throws StartError when the disk is full, or the rows do not fit the tables
 */
export const fillLocation = <T>(
  location: { readonly url: string } | FolderToFill,
  header: CopyHeader,
  work: (writer: SnapshotWriter) => Promise<T>,
): Promise<T> =>
  'url' in location
    ? fillServer(location.url, header, work).catch((error: unknown) => {
        throw explained(error, postgresCapabilities);
      })
    : fillFiles(location, header, work).catch((error: unknown) => {
        throw explained(error, sqliteCapabilities);
      });
