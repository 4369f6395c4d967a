import { type LookupAddress, lookup as resolve } from 'node:dns';
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { VERSION } from '../../../version.ts';
import type { AddressPolicy } from './address-policy.ts';
import { faultOf, SendFault } from './send-fault.ts';

export interface Post {
  readonly url: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Where it may go; anywhere unless told. */
  readonly policy?: AddressPolicy;
  readonly signal: AbortSignal;
}

export interface PostAnswer {
  readonly status: number;
  /** The beginning of what was answered. */
  readonly text: string;
}

/** All of a post, from the look for the address to the end of the answer, in milliseconds. */
const POST_MS = 10_000;
const MOST_ANSWER = 4096;

/** Looks a name up and leaves only addresses that are allowed: what is looked at is what is connected to. */
const guardedLookup =
  (policy: AddressPolicy): LookupFunction =>
  (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '', 0);
      const addresses: LookupAddress[] = found.filter(({ address }) => policy(address));
      const [first] = addresses;
      if (!first) return done(new SendFault('address_refused') as unknown as NodeJS.ErrnoException, '', 0);
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
      // Nobody needs the rest; leaving the loop ends the connection.
      if (size >= MOST_ANSWER) break;
    }
  } catch {
    // The status has said whether the message was taken: one that is sent again for want of a last word comes twice.
  }
  return Buffer.concat(chunks).toString('utf8').slice(0, MOST_ANSWER);
};

const answered = (request: ClientRequest, body: string): Promise<IncomingMessage> => {
  const { promise, resolve: answer, reject } = Promise.withResolvers<IncomingMessage>();
  request.once('response', answer);
  request.on('error', reject);
  request.end(body);
  return promise;
};

/** Longest that a receiver's wish to be left alone is heard. */
const LONGEST_WISH_MS = 3_600_000;

const retryAfter = (answer: IncomingMessage): number | undefined => {
  const value = answer.headers['retry-after'] ?? '';
  // Seconds, or a moment; the receiver's own clock says how far away that is.
  const moment = Date.parse(value) - (Date.parse(answer.headers.date ?? '') || Date.now());
  const wish = /^\d{1,9}$/.test(value) ? Number(value) * 1000 : moment;
  return wish > 0 ? Math.min(wish, LONGEST_WISH_MS) : undefined;
};

/** Statuses of the receiver's fault or for now: the same may be taken later. */
const isPassing = (status: number): boolean => status >= 500 || [408, 425, 429].includes(status);

/**
 * Posts JSON on a connection of its own. Redirects are not followed: they could lead where it may not go.
 * @throws SendFault for everything but an answer from 200 to 299
 */
export const post = async ({ url: address, body, headers, policy, signal }: Post): Promise<PostAnswer> => {
  try {
    const url = new URL(address);
    if (policy && isIP(hostOf(url)) !== 0 && !policy(hostOf(url))) throw new SendFault('address_refused');
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
    // Of a failure only the status is told: whoever can set the address must not read what stands behind it.
    if (status >= 300 && status < 400) throw new SendFault('redirected', String(status));
    throw new SendFault(isPassing(status) ? 'failed' : 'refused', String(status), retryAfter(answer));
  } catch (error) {
    throw faultOf(error);
  }
};
