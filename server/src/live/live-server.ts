import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { MAX_LIVE_SOCKETS } from '@signalbox/contract';
import { type WebSocket, WebSocketServer } from 'ws';
import type { LiveHub } from './live-hub.ts';
import { LiveSocket, type Subscriber } from './live-socket.ts';

export const LIVE_PATH = '/api/ws';
/** Clients send only the list of tasks that they follow. */
const MAX_CLIENT_BYTES = 16 * 1024;
const PING_MS = 25_000;

export interface LiveServerDeps {
  readonly hub: LiveHub;
  /** Returns the token of a valid session or the API token; 'out_of_scope' for an API token that may not read. */
  readonly sessionOf: (request: IncomingMessage) => Promise<{ readonly token: string } | 'out_of_scope' | undefined>;
  readonly isOwnOrigin: (request: IncomingMessage) => boolean;
}

/** Time that clients have to close the socket, in milliseconds. Then they are cut off. */
const FAREWELL_MS = 1_000;

export const refuseUpgrade = (socket: Duplex, status: string, headers = ''): void => {
  socket.end(`HTTP/1.1 ${status}\r\n${headers}connection: close\r\ncontent-length: 0\r\n\r\n`, () => socket.destroy());
};

/** Accepts sockets of browsers and programs that have a session and come from an allowed origin. */
export class LiveServer {
  readonly #deps: LiveServerDeps;
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_CLIENT_BYTES,
    perMessageDeflate: false,
    autoPong: false,
  });

  readonly #open = new Set<WebSocket>();

  constructor(deps: LiveServerDeps) {
    this.#deps = deps;
  }

  async handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { hub, sessionOf, isOwnOrigin } = this.#deps;
    if (!isOwnOrigin(request)) return refuseUpgrade(socket, '403 Forbidden');
    let token: string | undefined;
    let subscriber: Subscriber | undefined;
    const known = hub.rights;
    try {
      const session = await sessionOf(request);
      if (session === 'out_of_scope') return refuseUpgrade(socket, '403 Forbidden');
      token = session?.token;
      subscriber = token === undefined ? undefined : await hub.subscriberOf(token);
    } catch {
      // An unavailable database does not mean that the client is not signed in.
      return refuseUpgrade(socket, '503 Service Unavailable', 'retry-after: 2\r\n');
    }
    if (token === undefined || subscriber === undefined) return refuseUpgrade(socket, '401 Unauthorized');
    // No `await` until the socket is counted: otherwise simultaneous connections could exceed the limit.
    if (hub.countOf(subscriber.userId) >= MAX_LIVE_SOCKETS)
      return refuseUpgrade(socket, '429 Too Many Requests', 'retry-after: 60\r\n');
    this.#sockets.handleUpgrade(request, socket, head, (websocket) => {
      const listener = new LiveSocket(websocket, token, subscriber, () => hub.followed());
      hub.add(listener, known);
      this.#open.add(websocket);
      // Proxies close idle connections, and a suspended laptop sends no message at all.
      let answered = true;
      websocket.on('pong', () => {
        answered = true;
      });
      const ping = setInterval(() => {
        if (!answered) websocket.terminate();
        answered = false;
        listener.ping();
      }, PING_MS);
      websocket.on('close', () => {
        clearInterval(ping);
        hub.remove(listener);
        this.#open.delete(websocket);
      });
    });
  }

  close(): void {
    const left = [...this.#open];
    this.#deps.hub.close();
    this.#sockets.close();
    setTimeout(() => {
      for (const websocket of left) websocket.terminate();
    }, FAREWELL_MS).unref();
  }
}
