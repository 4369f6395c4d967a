import { randomUUID } from 'node:crypto';
import cookie from '@fastify/cookie';
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { refuseGarbage } from './client-error.ts';
import { toFailure } from './error-answer.ts';
import { tagAnswers } from './etag.ts';
import { acceptOnlyJson } from './json-body.ts';
import { EVERY_ANSWER } from './security-headers.ts';

export interface AppOptions {
  readonly logLevel: string;
  readonly trustedProxies: readonly string[];
  /** Path of the public address: a proxy may pass it on or take it off. */
  readonly pathPrefix: string;
  readonly isUnavailable: (error: unknown) => boolean;
}

/** A slow client must not hold a request open for ever. */
const REQUEST_MS = 60_000;
const RETRY_AFTER_SECONDS = '2';

/** The address as we know it, whether or not a proxy took the path of the public address off. */
export const withoutPrefix = (url = '/', prefix: string): string =>
  url.startsWith(`${prefix}/`) ? url.slice(prefix.length) : url;

/** The bare server: bodies, errors, headers and cookies as they are for every call. */
export const makeApp = async (options: AppOptions): Promise<FastifyInstance> => {
  const app = Fastify({
    logger: { level: options.logLevel, redact: ['req.headers.cookie', 'req.headers.authorization'] },
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    requestTimeout: REQUEST_MS,
    rewriteUrl: ({ url }) => withoutPrefix(url, options.pathPrefix),
    genReqId: () => randomUUID(),
    routerOptions: { maxParamLength: 200 },
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    clientErrorHandler: refuseGarbage,
    frameworkErrors: (error, request, reply: FastifyReply) => {
      const { status, body } = toFailure(error, request.id, options.isUnavailable);
      void reply.code(status).headers(EVERY_ANSWER).type('application/json; charset=utf-8').send(JSON.stringify(body));
    },
  });
  acceptOnlyJson(app);
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(EVERY_ANSWER);
    done();
  });
  tagAnswers(app);
  app.setErrorHandler((error, request, reply) => {
    const { status, body, bug } = toFailure(error, request.id, options.isUnavailable);
    if (bug) request.log.error({ err: error }, 'a call failed');
    if (status === 503) reply.header('retry-after', RETRY_AFTER_SECONDS);
    void reply.code(status).type('application/json; charset=utf-8').serializer(JSON.stringify).send(body);
  });
  await app.register(cookie);
  return app;
};
