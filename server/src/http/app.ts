import { randomUUID } from 'node:crypto';
import cookie from '@fastify/cookie';
import { DEFAULT_BODY_LIMIT, MAX_HEAD_BYTES, REQUEST_SECONDS } from '@signalbox/contract';
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { watchConnections } from './client-error.ts';
import { type DatabaseFaults, toFailure } from './error-answer.ts';
import { tagAnswers } from './etag.ts';
import { acceptOnlyJson } from './json-body.ts';
import { nameBodyLimit, refuseManyHeaders } from './limits.ts';
import { loggedUrl } from './provider-trip.ts';
import { EVERY_ANSWER } from './security-headers.ts';

export interface AppOptions {
  readonly logLevel: string;
  readonly trustedProxies: readonly string[];
  /** Path of the public address: a proxy may pass it on or take it off. */
  readonly pathPrefix: string;
  readonly faults: DatabaseFaults;
  /** How long a request may take to arrive, in milliseconds; a test need not wait for the usual time. */
  readonly requestMs?: number;
}

/** Connections are looked at so often, in milliseconds: a request may take so much longer. */
const LOOK_MS = 2_000;

/**
 * Rewrites the address of a request for the router: removes the path of the public address unless a proxy did, and the
 * trailing slash that generated clients send.
 */
export const routedUrl = (url = '/', prefix: string): string => {
  const own = url.startsWith(`${prefix}/`) ? url.slice(prefix.length) : url;
  return own.startsWith('/api/') ? own.replace(/^([^?#]*[^/?#])\/(?=[?#]|$)/, '$1') : own;
};

/** The bare server: bodies, errors, headers and cookies as they are for every call. */
export const makeApp = async (options: AppOptions): Promise<FastifyInstance> => {
  const { requestMs = REQUEST_SECONDS * 1000 } = options;
  const connections = watchConnections();
  const app = Fastify({
    logger: {
      level: options.logLevel,
      redact: ['req.headers.cookie', 'req.headers.authorization'],
      serializers: {
        req: ({ method, url, host, ip }) => ({ method, url: loggedUrl(url), host, remoteAddress: ip }),
      },
    },
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    requestTimeout: requestMs,
    http: {
      requestTimeout: requestMs,
      headersTimeout: requestMs,
      connectionsCheckingInterval: Math.min(LOOK_MS, requestMs),
      maxHeaderSize: MAX_HEAD_BYTES,
    },
    bodyLimit: DEFAULT_BODY_LIMIT,
    rewriteUrl: ({ url }) => routedUrl(url, options.pathPrefix),
    genReqId: () => randomUUID(),
    routerOptions: { maxParamLength: 200 },
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    clientErrorHandler: connections.refuse,
    frameworkErrors: (error, request, reply: FastifyReply) => {
      const { status, body } = toFailure(error, request.id, options.faults);
      void reply.code(status).headers(EVERY_ANSWER).type('application/json; charset=utf-8').send(JSON.stringify(body));
    },
  });
  acceptOnlyJson(app);
  app.addHook('onRequest', (request, reply, done) => {
    connections.taken(request.raw, reply.raw);
    reply.headers(EVERY_ANSWER);
    // What a person is told of a failure, a proxy's log and ours are found together by it.
    reply.header('x-request-id', request.id);
    done();
  });
  refuseManyHeaders(app);
  tagAnswers(app);
  app.setErrorHandler((error, request, reply) => {
    const { status, body, bug, retryAfter } = toFailure(nameBodyLimit(error, request), request.id, options.faults);
    if (bug) request.log.error({ err: error }, 'a call failed');
    if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
    void reply.code(status).type('application/json; charset=utf-8').serializer(JSON.stringify).send(body);
  });
  await app.register(cookie);
  return app;
};
