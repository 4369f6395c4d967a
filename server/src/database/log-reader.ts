import { Kysely } from 'kysely';
import type { Logs } from './database.ts';
import type { Capabilities } from './dialects/capabilities.ts';
import { postgresCapabilities } from './dialects/postgres/postgres-capabilities.ts';
import { postgresDialect } from './dialects/postgres/postgres-dialect.ts';
import type { LogSchema } from './schema.ts';

/** Readers of results wait for each other's connection rather than take those of the server. */
const CONNECTIONS = 2;

/** Opens the logs of a PostgreSQL database for a thread that reads results. It does not count as another server. */
export const openLogReader = (url: string): { readonly db: Logs; readonly capabilities: Capabilities } => {
  const { dialect } = postgresDialect(url, { name: 'signalbox results', connections: CONNECTIONS });
  return { db: new Kysely<LogSchema>({ dialect }), capabilities: postgresCapabilities };
};
