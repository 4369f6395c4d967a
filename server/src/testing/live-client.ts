import { once } from 'node:events';
import type { LiveMessage } from '@signalbox/contract';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { Client, TestServer } from './test-server.ts';

/** Opens a live socket, which is closed after the test, and collects its messages. */
export const listen = async (server: TestServer, client: Client, headers: Record<string, string> = {}) => {
  const socket = new WebSocket(`${server.baseUrl.replace('http', 'ws')}/api/ws`, {
    headers: { cookie: client.cookie, ...headers },
  });
  onTestFinished(() => socket.terminate());
  const messages: LiveMessage[] = [];
  socket.on('message', (data: Buffer) => messages.push(JSON.parse(data.toString('utf8')) as LiveMessage));
  await once(socket, 'open');
  return { socket, messages, closed: once(socket, 'close') };
};
