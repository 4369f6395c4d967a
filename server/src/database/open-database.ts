import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { Kysely } from 'kysely';
import { Database } from './database.ts';
import { postgresCapabilities } from './dialects/postgres/postgres-capabilities.ts';
import { postgresDialect } from './dialects/postgres/postgres-dialect.ts';
import { postgresNotices } from './dialects/postgres/postgres-notices.ts';
import { sqliteCapabilities } from './dialects/sqlite/sqlite-capabilities.ts';
import { sqliteDialect } from './dialects/sqlite/sqlite-dialect.ts';
import { sqliteReaderDialect } from './dialects/sqlite/sqlite-reader.ts';
import { LOGS_FILE } from './file-names.ts';
import type { StateSchema } from './schema.ts';

/** The address of a PostgreSQL database, or the folder of SQLite files. */
export type DatabaseLocation = { readonly url: string } | { readonly folder: string };

export const STATE_FILE = 'signalbox.db';

/** Opens the state database without migrating it. */
export const openDatabase = (
  location: DatabaseLocation,
  onLost: (error: Error) => void = () => undefined,
): Database => {
  if ('url' in location) {
    const { dialect, onLost: listen } = postgresDialect(location.url);
    listen(onLost);
    const openNotices = postgresNotices(location.url);
    return new Database(new Kysely<StateSchema>({ dialect }), postgresCapabilities, { openNotices });
  }
  const file = join(location.folder, STATE_FILE);
  const apart = new Kysely<StateSchema>({ dialect: sqliteReaderDialect(file, onLost) });
  return new Database(new Kysely<StateSchema>({ dialect: sqliteDialect(file) }), sqliteCapabilities, { apart });
};

/** Makes the files readable only by the user of the server. */
export const protectFiles = (folder: string): void => {
  for (const file of [STATE_FILE, LOGS_FILE]) {
    for (const suffix of ['', '-wal', '-shm']) {
      try {
        chmodSync(join(folder, file + suffix), 0o600);
      } catch {
        // Some of the files do not exist at every moment.
      }
    }
  }
};
