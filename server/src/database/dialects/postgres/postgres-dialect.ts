import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { type Dialect, PostgresDialect, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { PostgresWatch } from './postgres-watch.ts';

const INT8 = 20;

/** Our 64-bit columns hold byte offsets and counts, far below 2^53: numbers, not texts. */
export const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
};

const MAX_CONNECTIONS = 10;
/** Where many ask at once, each waits for its turn; that nobody answers is what the watch finds out, much sooner. */
const CONNECT_MS = 30_000;

export interface PostgresPool {
  readonly dialect: Dialect;
  readonly onLost: (listener: (error: Error) => void) => void;
}

/** Ends a connection without asking the other side, which answers nothing. */
const cut = (client: pg.ClientBase): void => {
  (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
};

/** Asks on a connection of its own, which is kept: the pool's may all be in use. */
export const makeAsk = (connectionString: string) => {
  let client: pg.Client | undefined;
  let isOver = false;
  const forget = (): void => {
    if (client) cut(client);
    client = undefined;
  };
  const open = async (): Promise<void> => {
    const fresh = new pg.Client({ connectionString, application_name: 'signalbox watch' });
    fresh.on('error', () => undefined);
    // Something between may end what is idle for long: that says nothing of the database.
    fresh.once('end', () => {
      if (client === fresh) client = undefined;
    });
    client = fresh;
    await fresh.connect();
  };
  /** What a kept connection cannot ask, because it is broken, is asked on a new one. */
  const askOn = async (kept: pg.Client, late: AbortSignal): Promise<unknown> => {
    try {
      return await kept.query('select 1');
    } catch (error) {
      if (late.aborted || isOver) throw error;
      forget();
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
    const answer = client ? askOn(client, late.signal) : open();
    answer.catch(() => undefined);
    try {
      await Promise.race([answer, noAnswer]);
    } catch (error) {
      forget();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };
  /** Ends the connection; nothing is asked any more. */
  const close = (): void => {
    isOver = true;
    forget();
  };
  return { ask, close };
};

/** A name of its own, so that the connections of one pool are told from those of others. */
const newPoolName = (): string => `signalbox ${randomBytes(4).toString('hex')}`;

/** A Kysely dialect on PostgreSQL; a lost idle connection is reported, never thrown into the void. */
export const postgresDialect = (url: string): PostgresPool => {
  const pool = new pg.Pool({
    connectionString: url,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    types,
    application_name: newPoolName(),
  });
  const listeners: ((error: Error) => void)[] = [];
  const lost = (error: Error): void => {
    for (const listener of listeners) listener(error);
  };
  pool.on('error', lost);
  // The pool listens only to idle connections; one that breaks in the middle of a transaction would end the process.
  pool.on('connect', (client) => client.on('error', lost));
  const { ask, close } = makeAsk(url);
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
    // No cursors are used.
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
