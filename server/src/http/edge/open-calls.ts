import type { FastifyInstance } from 'fastify';
import { ApiError } from '../errors/api-error.ts';

export interface OpenCalls {
  /** Resolves once every open call is answered. */
  finished(): Promise<void>;
}

/**
 * Counts the open calls. While the server stops, open calls finish, and new ones (`ping` included) get 503 until none
 * is open.
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
      // Also when the client disconnected or was cut off.
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
