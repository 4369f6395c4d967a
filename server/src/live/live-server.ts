import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { MAX_LIVE_SOCKETS } from '@signalbox/contract';
import { type WebSocket, WebSocketServer } from 'ws';
import type { LiveHub } from './live-hub.ts';
import { type Hearing, LiveSocket } from './live-socket.ts';

export const LIVE_PATH = '/api/ws';
/** Clients say little: which tasks they follow. */
const MAX_CLIENT_BYTES = 16 * 1024;
const PING_MS = 25_000;

export interface LiveServerNeeds {
  readonly hub: LiveHub;
  /** The token of a session that has not ended, or undefined. */
  readonly sessionOf: (request: IncomingMessage) => Promise<string | undefined>;
  readonly isOwnOrigin: (request: IncomingMessage) => boolean;
}

/** Listeners that do not answer our farewell within this time, in milliseconds, are cut off. */
const FAREWELL_MS = 1_000;

export const refuseUpgrade = (socket: Duplex, status: string, headers = ''): void => {
  socket.end(`HTTP/1.1 ${status}\r\n${headers}connection: close\r\ncontent-length: 0\r\n\r\n`, () => socket.destroy());
};

/** Lets browsers and programs in: with a session, and from our own page only. */
export class LiveServer {
  readonly #needs: LiveServerNeeds;
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_CLIENT_BYTES,
    perMessageDeflate: false,
    autoPong: false,
  });

  readonly #open = new Set<WebSocket>();

  constructor(needs: LiveServerNeeds) {
    this.#needs = needs;
  }

  async handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { hub, sessionOf, isOwnOrigin } = this.#needs;
    if (!isOwnOrigin(request)) return refuseUpgrade(socket, '403 Forbidden');
    let token: string | undefined;
    let hearing: Hearing | undefined;
    try {
      token = await sessionOf(request);
      hearing = token === undefined ? undefined : await hub.hearingOf(token);
    } catch {
      // Not to know is no reason to say that somebody is not signed in: a database that is away comes back.
      return refuseUpgrade(socket, '503 Service Unavailable', 'retry-after: 2\r\n');
    }
    if (token === undefined || hearing === undefined) return refuseUpgrade(socket, '401 Unauthorized');
    // No `await` until the socket is counted: otherwise simultaneous connections could exceed the limit.
    if (hub.countOf(hearing.userId) >= MAX_LIVE_SOCKETS)
      return refuseUpgrade(socket, '429 Too Many Requests', 'retry-after: 60\r\n');
    this.#sockets.handleUpgrade(request, socket, head, (websocket) => {
      const listener = new LiveSocket(websocket, token, hearing);
      hub.add(listener);
      this.#open.add(websocket);
      // Proxies close what is silent, and nobody tells us of a laptop that was shut.
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
    this.#needs.hub.close();
    this.#sockets.close();
    setTimeout(() => {
      for (const websocket of left) websocket.terminate();
    }, FAREWELL_MS).unref();
  }
}
