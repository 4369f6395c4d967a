import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { Kysely } from 'kysely';
import { Database, type Logs } from './database.ts';
import type { Capabilities } from './dialects/capabilities.ts';
import { postgresCapabilities } from './dialects/postgres/postgres-capabilities.ts';
import { postgresDialect } from './dialects/postgres/postgres-dialect.ts';
import { sqliteCapabilities } from './dialects/sqlite/sqlite-capabilities.ts';
import { sqliteDialect } from './dialects/sqlite/sqlite-dialect.ts';
import type { LogSchema, StateSchema } from './schema.ts';

/** Where a database is: a PostgreSQL address, or the folder of SQLite files. */
export type DatabaseLocation = { readonly url: string } | { readonly folder: string };

export const STATE_FILE = 'signalbox.db';
export const LOGS_FILE = 'logs.db';

const openSqlite = <Schema>(file: string): Kysely<Schema> => new Kysely<Schema>({ dialect: sqliteDialect(file) });

/** Opens the state database; no table is made or changed. */
export const openDatabase = (
  location: DatabaseLocation,
  onLost: (error: Error) => void = () => undefined,
): Database => {
  if ('url' in location) {
    const { dialect, onLost: listen } = postgresDialect(location.url);
    listen(onLost);
    return new Database(new Kysely<StateSchema>({ dialect }), postgresCapabilities);
  }
  return new Database(openSqlite<StateSchema>(join(location.folder, STATE_FILE)), sqliteCapabilities);
};

/** Opens the SQLite file of the logs; on PostgreSQL the logs live beside the state. */
export const openLogsFile = (folder: string): Logs => openSqlite<LogSchema>(join(folder, LOGS_FILE));

/** What is special about the SQLite file of the logs. */
export const logsFileCapabilities: Capabilities = sqliteCapabilities;

/** Only the user that runs the server may read the files. */
export const protectFiles = (folder: string): void => {
  for (const file of [STATE_FILE, LOGS_FILE]) {
    for (const suffix of ['', '-wal', '-shm']) {
      try {
        chmodSync(join(folder, file + suffix), 0o600);
      } catch {
        // Not every one of them exists at every moment.
      }
    }
  }
};
