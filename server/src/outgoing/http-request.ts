import { type LookupAddress, lookup as resolve } from 'node:dns';
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { VERSION } from '../version.ts';
import type { AddressPolicy } from './address-policy.ts';

/** The policy allows none of the IP addresses of the host. */
export class AddressRefusedError extends Error {
  override readonly name = 'AddressRefusedError';
}

export interface HttpRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string | number>>;
  /** Allowed addresses. Default: any. */
  readonly policy?: AddressPolicy | undefined;
  /** Trusted CA certificates, instead of those of the system. */
  readonly ca?: string | undefined;
  readonly signal: AbortSignal;
}

/** Resolves a name to allowed addresses only. The connection uses exactly these addresses. */
const guardedLookup =
  (policy: AddressPolicy): LookupFunction =>
  (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '', 0);
      const addresses: LookupAddress[] = found.filter(({ address }) => policy(address));
      const [first] = addresses;
      if (!first) return done(new AddressRefusedError(), '', 0);
      if (options.all) return done(null, addresses);
      done(null, first.address, first.family);
    });
  };

const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

const answerTo = (request: ClientRequest, body: string | undefined): Promise<IncomingMessage> => {
  const { promise, resolve: answer, reject } = Promise.withResolvers<IncomingMessage>();
  request.once('response', answer);
  request.on('error', reject);
  request.end(body);
  return promise;
};

/**
 * Sends a request on a connection of its own. Does not follow redirects, because they could lead to an address that is not
 * allowed.
 * @throws AddressRefusedError, or the error of the lookup, the connection or the TLS handshake
 */
export const sendRequest = async ({ url: address, body, headers, policy, ca, ...rest }: HttpRequest) => {
  const url = new URL(address);
  if (policy && isIP(hostOf(url)) !== 0 && !policy(hostOf(url))) throw new AddressRefusedError();
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const request = send(url, {
    ...rest,
    agent: false,
    headers: { 'user-agent': `Signalbox/${VERSION}`, ...headers },
    ...(policy ? { lookup: guardedLookup(policy) } : {}),
    ...(ca === undefined ? {} : { ca }),
  });
  return answerTo(request, body);
};

/** Reads the start of an answer, and closes the connection. An answer that breaks off is returned as far as it came. */
export const readStart = async (answer: IncomingMessage, maxBytes: number): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= maxBytes) break;
    }
  } catch {
    // The caller decides from what has arrived.
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
};
