import { join } from 'node:path';
import { Kysely } from 'kysely';
import type { Logs } from './database.ts';
import type { Capabilities } from './dialects/capabilities.ts';
import { sqliteCapabilities } from './dialects/sqlite/sqlite-capabilities.ts';
import { sqliteDialect } from './dialects/sqlite/sqlite-dialect.ts';
import type { LogSchema } from './schema.ts';

// Apart from open-database.ts, so that the thread of the logs loads nothing of PostgreSQL.

export const LOGS_FILE = 'logs.db';

/** Opens the SQLite file of the logs; on PostgreSQL the logs live beside the state. */
export const openLogsFile = (folder: string): Logs =>
  new Kysely<LogSchema>({ dialect: sqliteDialect(join(folder, LOGS_FILE)) });

/** What is special about the SQLite file of the logs. */
export const logsFileCapabilities: Capabilities = sqliteCapabilities;
