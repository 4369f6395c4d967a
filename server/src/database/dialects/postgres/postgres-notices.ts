import pg from 'pg';
import type { NoticeChannel, NoticeListener, OpenNotices } from '../../notice-channel.ts';
import { cut } from './postgres-dialect.ts';

const CHANNEL = 'signalbox';
/** Time limit of the connection and of each query, in milliseconds. */
const CONNECT_MS = 5_000;
/** Time that the database has to answer when the connection is closed, in milliseconds. */
const CLOSE_MS = 1_000;
/** Time before the first attempt to reconnect, and between later ones, in milliseconds. */
const FIRST_RETRY_MS = 50;
const RETRY_MS = 1_000;

/** LISTEN and NOTIFY on a connection of its own: notices arrive only where the connection stays the same. */
class PostgresNotices implements NoticeChannel {
  readonly #url: string;
  readonly #listener: NoticeListener;
  /** The connection, open or not. */
  #client: pg.Client | undefined;
  #isOpen = false;
  #isClosed = false;
  #retry: NodeJS.Timeout | undefined;
  #retryMs = FIRST_RETRY_MS;

  constructor(url: string, listener: NoticeListener) {
    this.#url = url;
    this.#listener = listener;
    this.#connect();
  }

  async send(text: string): Promise<void> {
    if (!this.#client || !this.#isOpen) throw new Error('The notices of PostgreSQL are not connected.');
    await this.#client.query('select pg_notify($1, $2)', [CHANNEL, text]);
  }

  reconnect(): void {
    if (this.#client) cut(this.#client);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    const client = this.#client;
    if (!client) return;
    const cutOff = setTimeout(() => cut(client), CLOSE_MS);
    await client.end().catch(() => undefined);
    clearTimeout(cutOff);
  }

  #connect(): void {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: 'signalbox notices',
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: CONNECT_MS,
      keepAlive: true,
    });
    this.#client = client;
    let reason: unknown = new Error('The connection was closed.');
    client.on('error', (error) => {
      reason = error;
    });
    client.once('end', () => this.#lost(client, reason));
    client.on('notification', ({ payload = '' }) => this.#listener.onNotice(payload));
    this.#listen(client).catch((error: unknown) => {
      reason = error;
      cut(client);
      // A connection that was never open does not end.
      this.#lost(client, reason);
    });
  }

  async #listen(client: pg.Client): Promise<void> {
    await client.connect();
    await client.query(`listen ${CHANNEL}`);
    if (this.#isClosed || this.#client !== client) return;
    this.#isOpen = true;
    this.#retryMs = FIRST_RETRY_MS;
    this.#listener.onOpen();
  }

  #lost(client: pg.Client, error: unknown): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    this.#isOpen = false;
    if (this.#isClosed) return;
    this.#listener.onLost(error);
    this.#retry = setTimeout(() => this.#connect(), this.#retryMs);
    this.#retryMs = RETRY_MS;
  }
}

export const postgresNotices =
  (url: string): OpenNotices =>
  (listener) =>
    new PostgresNotices(url, listener);
