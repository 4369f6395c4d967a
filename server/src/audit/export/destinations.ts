import { open } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { hostname } from 'node:os';
import { connect as connectTls } from 'node:tls';
import { readStart, sendRequest } from '../../outgoing/http-request.ts';

/** One event to send. */
export interface AuditMessage {
  readonly time: string;
  readonly kind: string;
  /** JSON without a line break. */
  readonly line: string;
}

/** Delivers messages in order. Resolves when the receiver has all of them. @throws otherwise */
export type Deliver = (messages: readonly AuditMessage[], signal: AbortSignal) => Promise<void>;

/** Time limit of a delivery, in milliseconds. */
const DELIVERY_MS = 15_000;

/** What is read of the answer to a post, which only its status decides. */
const MAX_ANSWER_BYTES = 4096;

const limited = (signal: AbortSignal): AbortSignal => AbortSignal.any([signal, AbortSignal.timeout(DELIVERY_MS)]);

const linesOf = (messages: readonly AuditMessage[]): string => messages.map(({ line }) => `${line}\n`).join('');

/** Appends to a file, which may be rotated at any time. A batch that cannot be written completely leaves nothing. */
export const toFile =
  (path: string): Deliver =>
  async (messages) => {
    const file = await open(path, 'a', 0o600);
    try {
      const { size } = await file.stat();
      try {
        await file.appendFile(linesOf(messages));
        await file.sync();
      } catch (error) {
        await file.truncate(size);
        throw error;
      }
    } finally {
      await file.close();
    }
  };

/** Facility 13 (log audit), severity 6 (informational). */
const PRIORITY = 13 * 8 + 6;

/** A message of RFC 5424 with the octet count of RFC 5425, which works for TCP too. */
const frame = ({ time, kind, line }: AuditMessage): string => {
  const message = `<${PRIORITY}>1 ${time} ${hostname() || '-'} signalbox ${process.pid} ${kind.slice(0, 32)} - ${line}`;
  return `${Buffer.byteLength(message)} ${message}`;
};

export interface SyslogServer {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  /** Trusted CA certificates, instead of those of the system. */
  readonly ca: string | undefined;
}

const socketTo = ({ host, port, tls, ca }: SyslogServer): Socket =>
  tls ? connectTls({ host, port, servername: host, ...(ca === undefined ? {} : { ca }) }) : connect({ host, port });

/** How long to wait after the last byte for a reset, in milliseconds: a server that has closed the connection sends one. */
const QUIET_MS = 500;

/**
 * Sends a batch on a connection of its own. Syslog has no acknowledgements: the batch counts as received when the server
 * leaves the connection open for the whole batch, and closes it in order after the end of the batch.
 */
export const toSyslog =
  (server: SyslogServer): Deliver =>
  async (messages, signal) => {
    const socket = socketTo(server);
    const limit = limited(signal);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const abort = (): void => void socket.destroy(limit.reason as Error);
    limit.addEventListener('abort', abort);
    let isWhole = false;
    let quiet: NodeJS.Timeout | undefined;
    const closed = (): void =>
      isWhole ? resolve() : reject(new Error('the syslog server closed the connection before the end of the batch'));
    socket.on('error', reject).on('end', closed).on('close', closed).resume();
    socket.write(messages.map(frame).join(''), () => {
      quiet = setTimeout(() => {
        isWhole = true;
        socket.end();
      }, QUIET_MS);
    });
    try {
      await promise;
    } finally {
      clearTimeout(quiet);
      limit.removeEventListener('abort', abort);
      socket.destroy();
    }
  };

export interface HttpsReceiver {
  readonly url: string;
  readonly token: string | undefined;
  readonly ca: string | undefined;
}

/** Posts a batch as NDJSON. Every answer other than 200 to 299 is a failure; redirects are not followed. */
export const toHttps =
  ({ url, token, ca }: HttpsReceiver): Deliver =>
  async (messages, signal) => {
    const body = linesOf(messages);
    const answer = await sendRequest({
      ...{ url, ca, body },
      method: 'POST',
      signal: limited(signal),
      headers: {
        'content-type': 'application/x-ndjson; charset=utf-8',
        'content-length': Buffer.byteLength(body),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
    });
    const { statusCode = 0 } = answer;
    await readStart(answer, MAX_ANSWER_BYTES);
    if (statusCode < 200 || statusCode > 299) throw new Error(`the receiver answered ${statusCode}`);
  };
