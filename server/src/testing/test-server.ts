import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import type { Clock } from '../clock.ts';
import { startServer } from '../composition/server.ts';
import { describeSharedDatabase, type TestLocation } from './database/databases.ts';
import { ADMIN_PASSWORD, serverConfig } from './server-config.ts';

export { ADMIN_PASSWORD };

type Answer = LightMyRequestResponse & { json<T = Record<string, unknown>>(): T };

export interface Client {
  get(path: string): Promise<Answer>;
  post(path: string, body?: unknown): Promise<Answer>;
  put(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  del(path: string, headers?: Record<string, string>): Promise<Answer>;
  send(options: InjectOptions): Promise<Answer>;
  readonly cookie: string;
}

const openTestServer = async (location: TestLocation, settings: Record<string, string> = {}, clock?: Clock) => {
  const server = await startServer(serverConfig(location, settings), clock);
  let open = true;
  const stop = async (): Promise<void> => {
    if (open) await server.stop();
    open = false;
  };

  const client = (cookie: string): Client => {
    const send = (options: InjectOptions) =>
      server.app.inject({
        ...options,
        headers: { ...(cookie ? { cookie } : {}), ...options.headers },
      }) as Promise<Answer>;
    return {
      cookie,
      send,
      get: (path) => send({ method: 'GET', url: `/api${path}` }),
      post: (path, body) =>
        send({ method: 'POST', url: `/api${path}`, ...(body === undefined ? {} : { payload: body as object }) }),
      put: (path, body, headers = {}) => send({ method: 'PUT', url: `/api${path}`, payload: body as object, headers }),
      del: (path, headers = {}) => send({ method: 'DELETE', url: `/api${path}`, headers }),
    };
  };
  const signIn = async (auth = 'admin', password = ADMIN_PASSWORD): Promise<Client> => {
    const answer = await client('').post('/auth/login', { auth, password });
    if (answer.statusCode !== 204) throw new Error(`Sign-in failed: ${answer.body}`);
    return client(answer.cookies.map(({ name, value }) => `${name}=${value}`).join('; '));
  };
  return { ...server, stop, anonymous: client(''), clientOf: client, signIn, baseUrl: server.address };
};

export type TestServer = Awaited<ReturnType<typeof openTestServer>>;

/** Starts a complete server with a database of its own and without a local runner. It stops after the test. */
export const startTestServer = async (...options: Parameters<typeof openTestServer>): Promise<TestServer> => {
  const server = await openTestServer(...options);
  onTestFinished(server.stop);
  return server;
};

/**
 * Runs a suite whose tests share one server, on SQLite or PostgreSQL like `describeOneDatabase`. Each test creates a
 * project of its own, and users whose names no other test uses.
 */
export const describeOneServer = (title: string, suite: (server: () => TestServer) => void): void =>
  describeSharedDatabase(title, (location) => {
    let server: TestServer;
    beforeAll(async () => {
      server = await openTestServer(location());
    });
    afterAll(() => server.stop());
    suite(() => server);
  });
