import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { type Dialect, PostgresDialect, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { PostgresWatch } from './postgres-watch.ts';

const INT8 = 20;

/** 64-bit columns hold byte offsets and counts far below 2^53, so they are read as numbers. */
export const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
};

const MAX_CONNECTIONS = 10;
/**
 * Maximum wait for a free connection, in milliseconds. A silent database is detected by PostgresWatch, much earlier.
 */
const CONNECT_MS = 30_000;

interface PoolOptions {
  readonly name?: string;
  readonly connections?: number;
}

export interface PostgresPool {
  readonly dialect: Dialect;
  readonly onLost: (listener: (error: Error) => void) => void;
}

/** Closes a connection without a handshake, because the other side does not answer. */
export const cut = (client: pg.ClientBase): void => {
  (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
};

/**
 * Creates a function that sends a small query on a separate connection, because all connections of the pool may be in
 * use.
 */
export const makeQuery = (connectionString: string) => {
  let client: pg.Client | undefined;
  let isOver = false;
  const removeListener = (): void => {
    if (client) cut(client);
    client = undefined;
  };
  const open = async (): Promise<void> => {
    const fresh = new pg.Client({ connectionString, application_name: 'signalbox watch' });
    fresh.on('error', () => undefined);
    // A firewall may close an idle connection. That is no sign of a dead database.
    fresh.once('end', () => {
      if (client === fresh) client = undefined;
    });
    client = fresh;
    await fresh.connect();
  };
  /** Retries on a new connection when the kept one is broken. */
  const queryOn = async (kept: pg.Client, late: AbortSignal): Promise<unknown> => {
    try {
      return await kept.query('select 1');
    } catch (error) {
      if (late.aborted || isOver) throw error;
      removeListener();
      return open();
    }
  };
  const ask = async (ms: number): Promise<void> => {
    const { promise: noAnswer, reject } = Promise.withResolvers<never>();
    const late = new AbortController();
    const timer = setTimeout(() => {
      late.abort();
      reject(new Error('no answer'));
    }, ms);
    const answer = client ? queryOn(client, late.signal) : open();
    answer.catch(() => undefined);
    try {
      await Promise.race([answer, noAnswer]);
    } catch (error) {
      removeListener();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };
  /** Closes the connection. No more queries are sent. */
  const close = (): void => {
    isOver = true;
    removeListener();
  };
  return { ask, close };
};

/**
 * Compiled statements and parallel processes help statements that read many rows, and slow down the short ones of a server:
 * compiling a claim took seconds, starting processes for it up to 30 ms. So both are off. The client sends this before its
 * first statement; a lost connection shows in that one.
 */
const SETTINGS = 'set jit = off; set max_parallel_workers_per_gather = 0';

/** A name for the connections of one pool, to distinguish them from those of other servers. */
const newPoolName = (): string => `signalbox ${randomBytes(4).toString('hex')}`;

/** Creates a Kysely dialect for PostgreSQL. Reports a lost idle connection instead of throwing. */
export const postgresDialect = (
  url: string,
  { name = newPoolName(), connections = MAX_CONNECTIONS }: PoolOptions = {},
): PostgresPool => {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: CONNECT_MS,
    types,
    application_name: name,
  });
  const listeners: ((error: Error) => void)[] = [];
  const lost = (error: Error): void => {
    for (const listener of listeners) listener(error);
  };
  pool.on('error', lost);
  // The pool handles errors of idle connections only. Without a listener, an error during a transaction would end the
  // process.
  pool.on('connect', (client) => {
    client.on('error', lost);
    client.query(SETTINGS).catch(() => undefined);
  });
  const { ask, close } = makeQuery(url);
  const watch = new PostgresWatch(ask);

  const connect = async (): Promise<PostgresPoolClient> => {
    let isGivenUp = false;
    const connecting = pool.connect();
    connecting.then((client) => isGivenUp && client.release(true)).catch(() => undefined);
    const client = await watch.during(
      () => connecting,
      () => {
        isGivenUp = true;
      },
      false,
    );
    const query = (text: string, values: readonly unknown[]) =>
      watch.during(
        () => client.query(text, [...values]),
        () => cut(client),
      );
    // Cursors are not used.
    return { query: query as unknown as PostgresPoolClient['query'], release: (destroy) => client.release(destroy) };
  };
  const end = async (): Promise<void> => {
    watch.close();
    close();
    await pool.end();
  };
  return {
    dialect: new PostgresDialect({ pool: { connect, end, options: pool.options } }),
    onLost: (listener) => void listeners.push(listener),
  };
};
