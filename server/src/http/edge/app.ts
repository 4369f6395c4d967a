import { randomUUID } from 'node:crypto';
import cookie from '@fastify/cookie';
import { DEFAULT_BODY_LIMIT, MAX_HEAD_BYTES, REQUEST_SECONDS } from '@signalbox/contract';
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { type DatabaseErrors, toFailure } from '../errors/error-answer.ts';
import { tagAnswers } from '../objects/etag.ts';
import { watchConnections } from './client-error.ts';
import { acceptOnlyJson } from './json-body.ts';
import { nameBodyLimit, refuseManyHeaders } from './limits.ts';
import { loggedUrl } from './provider-callback.ts';
import { EVERY_ANSWER } from './security-headers.ts';

export interface AppOptions {
  readonly logLevel: string;
  readonly trustedProxies: readonly string[];
  /** Path of the public address. A proxy may keep or remove it. */
  readonly pathPrefix: string;
  readonly databaseErrors: DatabaseErrors;
  /** Time that a request may take to arrive, in milliseconds. Tests set a shorter one. */
  readonly requestMs?: number;
}

/** Interval at which connections are checked, in milliseconds. A request may take this much longer than its limit. */
const POLL_MS = 2_000;

/**
 * Rewrites the address of a request for the router: removes the path of the public address unless a proxy did, and the
 * trailing slash that generated clients send.
 */
export const routedUrl = (url = '/', prefix: string): string => {
  const own = url.startsWith(`${prefix}/`) ? url.slice(prefix.length) : url;
  return own.startsWith('/api/') ? own.replace(/^([^?#]*[^/?#])\/(?=[?#]|$)/, '$1') : own;
};

/** Creates the server with what every call shares: bodies, errors, headers and cookies. */
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
      connectionsCheckingInterval: Math.min(POLL_MS, requestMs),
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
      const { status, body } = toFailure(error, request.id, options.databaseErrors);
      void reply.code(status).headers(EVERY_ANSWER).type('application/json; charset=utf-8').send(JSON.stringify(body));
    },
  });
  acceptOnlyJson(app);
  app.addHook('onRequest', (request, reply, done) => {
    connections.taken(request.raw, reply.raw);
    reply.headers(EVERY_ANSWER);
    // The same id is in the error that the user sees, in the log of a proxy and in the log of the server.
    reply.header('x-request-id', request.id);
    done();
  });
  refuseManyHeaders(app);
  tagAnswers(app);
  app.setErrorHandler((error, request, reply) => {
    const { status, body, bug, retryAfter } = toFailure(
      nameBodyLimit(error, request),
      request.id,
      options.databaseErrors,
    );
    if (bug) request.log.error({ err: error }, 'a call failed');
    if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
    void reply.code(status).type('application/json; charset=utf-8').serializer(JSON.stringify).send(body);
  });
  await app.register(cookie);
  return app;
};
