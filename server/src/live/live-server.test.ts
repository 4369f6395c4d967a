import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { LiveHub } from './live-hub.ts';
import { LiveServer } from './live-server.ts';

describe('a live socket', () => {
  it.each([
    ['that nobody has a session for', () => Promise.resolve(undefined), 401, undefined],
    ['whose session cannot be looked up now', () => Promise.reject(new Error('the database is away')), 503, '2'],
  ])('%s is refused', async (_name, sessionOf, status, retryAfter) => {
    const hub = new LiveHub({
      hearings: () => Promise.resolve(new Map()),
      totalLines: () => Promise.resolve(undefined),
      onError: () => undefined,
    });
    const live = new LiveServer({ hub, sessionOf, isOwnOrigin: () => true });
    const server = createServer().on('upgrade', (...upgrade) => void live.handleUpgrade(...upgrade));
    onTestFinished(() => void server.close());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/api/ws`);
    const [, answer] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
    answer.resume();
    expect(answer.statusCode).toBe(status);
    expect(answer.headers['retry-after']).toBe(retryAfter);
    expect(hub.size).toBe(0);
  });
});
