import { bytesText, MAX_HEADERS } from '@signalbox/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../errors/api-error.ts';

/** Refuses requests with too many headers. By default, Node would silently drop the last ones. */
export const refuseManyHeaders = (app: FastifyInstance): void => {
  app.server.maxHeadersCount = 0;
  app.addHook('onRequest', (request, _reply, done) => {
    const count = request.raw.rawHeaders.length / 2;
    if (count <= MAX_HEADERS) done();
    else done(new ApiError('headers_too_large.number', { number: count, max: MAX_HEADERS }));
  });
};

/** Adds the maximum body size to the error of the framework. */
export const nameBodyLimit = (error: unknown, request: FastifyRequest): unknown => {
  if ((error as { code?: string }).code !== 'FST_ERR_CTP_BODY_TOO_LARGE') return error;
  return new ApiError('too_large.body', { max: bytesText(request.routeOptions.bodyLimit ?? 0) });
};
