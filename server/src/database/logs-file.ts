import { join } from 'node:path';
import { Kysely } from 'kysely';
import type { Logs } from './database.ts';
import type { Capabilities } from './dialects/capabilities.ts';
import { sqliteCapabilities } from './dialects/sqlite/sqlite-capabilities.ts';
import { sqliteDialect } from './dialects/sqlite/sqlite-dialect.ts';
import { LOGS_FILE } from './file-names.ts';
import type { LogSchema } from './schema.ts';

// Not in open-database.ts, so that the log worker does not load the PostgreSQL driver.

/** Opens the SQLite file of the logs. On PostgreSQL the logs are in the same database as the state. */
export const openLogsFile = (folder: string): Logs =>
  new Kysely<LogSchema>({ dialect: sqliteDialect(join(folder, LOGS_FILE)) });

/** Capabilities of the database in that file. */
export const logsFileCapabilities: Capabilities = sqliteCapabilities;
