import { type LookupAddress, lookup as resolve } from 'node:dns';
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { VERSION } from '../../../version.ts';
import type { AddressPolicy } from './address-policy.ts';
import { SendError, sendErrorOf } from './send-error.ts';

export interface Post {
  readonly url: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Allowed addresses. Default: any. */
  readonly policy?: AddressPolicy;
  readonly signal: AbortSignal;
}

export interface PostAnswer {
  readonly status: number;
  /** The start of the answer. */
  readonly text: string;
}

/** Time limit for a whole post, name resolution included, in milliseconds. */
const POST_MS = 10_000;
const MAX_ANSWER_BYTES = 4096;

/** Resolves a name to allowed addresses only. The connection uses exactly these addresses. */
const guardedLookup =
  (policy: AddressPolicy): LookupFunction =>
  (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '', 0);
      const addresses: LookupAddress[] = found.filter(({ address }) => policy(address));
      const [first] = addresses;
      if (!first) return done(new SendError('address_refused') as unknown as NodeJS.ErrnoException, '', 0);
      if (options.all) return done(null, addresses);
      done(null, first.address, first.family);
    });
  };

const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

const readAnswer = async (answer: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      // The rest is not needed. Leaving the loop closes the connection.
      if (size >= MAX_ANSWER_BYTES) break;
    }
  } catch {
    // The status has already decided. Sending the message again because of an incomplete body would deliver it twice.
  }
  return Buffer.concat(chunks).toString('utf8').slice(0, MAX_ANSWER_BYTES);
};

const answered = (request: ClientRequest, body: string): Promise<IncomingMessage> => {
  const { promise, resolve: answer, reject } = Promise.withResolvers<IncomingMessage>();
  request.once('response', answer);
  request.on('error', reject);
  request.end(body);
  return promise;
};

/** Maximum delay that a `Retry-After` header can request, in milliseconds. */
const MAX_RETRY_AFTER_MS = 3_600_000;

const retryAfter = (answer: IncomingMessage): number | undefined => {
  const value = answer.headers['retry-after'] ?? '';
  // Seconds or a date. A date is compared with the clock of the receiver.
  const moment = Date.parse(value) - (Date.parse(answer.headers.date ?? '') || Date.now());
  const wish = /^\d{1,9}$/.test(value) ? Number(value) * 1000 : moment;
  return wish > 0 ? Math.min(wish, MAX_RETRY_AFTER_MS) : undefined;
};

/** Whether the same request may succeed later. */
const isPassing = (status: number): boolean => status >= 500 || [408, 425, 429].includes(status);

/**
 * Posts JSON on a connection of its own. Does not follow redirects, because they could lead to an address that is not
 * allowed.
 * @throws SendError for every answer other than 200 to 299
 */
export const post = async ({ url: address, body, headers, policy, signal }: Post): Promise<PostAnswer> => {
  try {
    const url = new URL(address);
    if (policy && isIP(hostOf(url)) !== 0 && !policy(hostOf(url))) throw new SendError('address_refused');
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const request = send(url, {
      method: 'POST',
      agent: false,
      signal: AbortSignal.any([signal, AbortSignal.timeout(POST_MS)]),
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
        'user-agent': `Signalbox/${VERSION}`,
        ...headers,
      },
      ...(policy ? { lookup: guardedLookup(policy) } : {}),
    });
    const answer = await answered(request, body);
    const status = answer.statusCode ?? 0;
    const text = await readAnswer(answer);
    if (status >= 200 && status < 300) return { status, text };
    // Reports only the status: a user who can set the address must not read answers of internal services.
    if (status >= 300 && status < 400) throw new SendError('redirected', String(status));
    throw new SendError(isPassing(status) ? 'failed' : 'refused', String(status), retryAfter(answer));
  } catch (error) {
    throw sendErrorOf(error);
  }
};
