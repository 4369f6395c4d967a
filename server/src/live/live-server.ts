import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { LiveHub } from './live-hub.ts';
import { LiveSocket } from './live-socket.ts';

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

const refuse = (socket: Duplex, status: string): void => {
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
};

/** Lets browsers and programs in: with a session, and from our own page only. */
export class LiveServer {
  readonly #needs: LiveServerNeeds;
  readonly #sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_CLIENT_BYTES, perMessageDeflate: false });

  constructor(needs: LiveServerNeeds) {
    this.#needs = needs;
  }

  async handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { hub, sessionOf, isOwnOrigin } = this.#needs;
    if (!isOwnOrigin(request)) return refuse(socket, '403 Forbidden');
    const token = await sessionOf(request).catch(() => undefined);
    if (token === undefined) return refuse(socket, '401 Unauthorized');
    this.#sockets.handleUpgrade(request, socket, head, (websocket) => {
      const listener = new LiveSocket(websocket, token);
      hub.add(listener);
      // Proxies close what is silent.
      const ping = setInterval(() => websocket.ping(), PING_MS);
      websocket.on('close', () => {
        clearInterval(ping);
        hub.remove(listener);
      });
      void hub.refresh();
    });
  }

  close(): void {
    this.#needs.hub.close();
    this.#sockets.close();
  }
}
