import type { FastifyInstance } from 'fastify';
import { ApiError } from './api-error.ts';

export interface OpenCalls {
  /** Resolves once every call that was open has its answer. */
  finished(): Promise<void>;
}

/**
 * Counts the calls that are open. While the server stops they finish, and new ones, `ping` among them, are answered 503
 * as long as any is left.
 */
export const watchOpenCalls = (app: FastifyInstance, isStopping: () => boolean): OpenCalls => {
  const open = new Set<string>();
  let allDone = (): void => undefined;
  const ended = (id: string): void => {
    open.delete(id);
    if (open.size === 0) allDone();
  };
  app.addHook('onRequest', (request, reply, done) => {
    if (!isStopping()) {
      open.add(request.id);
      // Also when the client went away, or was cut off.
      reply.raw.once('close', () => ended(request.id));
      done();
      return;
    }
    reply.header('connection', 'close');
    done(new ApiError('unavailable.stopping'));
  });
  app.addHook('onResponse', (request, _reply, done) => {
    ended(request.id);
    done();
  });
  return {
    finished: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      allDone = resolve;
      if (open.size === 0) resolve();
      return promise;
    },
  };
};
