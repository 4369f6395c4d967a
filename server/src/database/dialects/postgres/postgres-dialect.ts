import { type Dialect, PostgresDialect } from 'kysely';
import pg from 'pg';

const INT8 = 20;

/** Our 64-bit columns hold byte offsets and counts, far below 2^53: numbers, not texts. */
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
};

const MAX_CONNECTIONS = 10;
const CONNECT_MS = 2_000;

export interface PostgresPool {
  readonly dialect: Dialect;
  readonly onLost: (listener: (error: Error) => void) => void;
}

/** A Kysely dialect on PostgreSQL; a lost idle connection is reported, never thrown into the void. */
export const postgresDialect = (url: string): PostgresPool => {
  const pool = new pg.Pool({
    connectionString: url,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    types,
    application_name: 'signalbox',
  });
  const listeners: ((error: Error) => void)[] = [];
  const lost = (error: Error): void => {
    for (const listener of listeners) listener(error);
  };
  pool.on('error', lost);
  // The pool listens only to idle connections; one that breaks in the middle of a transaction would end the process.
  pool.on('connect', (client) => client.on('error', lost));
  return { dialect: new PostgresDialect({ pool }), onLost: (listener) => void listeners.push(listener) };
};
