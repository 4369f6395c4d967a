import type { Agent } from 'node:https';
import {
  HEARTBEAT_MS,
  LINK_SILENCE_MS,
  MAX_SERVER_FRAME,
  RUNNER_ENDED,
  type RunnerMessage,
  ServerMessage,
  TOKEN_IN_USE,
} from '@signalbox/contract/link';
import { type RawData, WebSocket } from 'ws';

/** The first and the maximum delay before a new attempt to connect, in milliseconds. It doubles after each failure. */
const FIRST_WAIT_MS = 250;
const MAX_WAIT_MS = 2_000;
/** Delay between attempts while the server refuses this runner because another process uses its token. */
const REFUSED_WAIT_MS = 10_000;

/** A link that was open for this long counts as a success: the delay starts again at its minimum. In milliseconds. */
const STABLE_MS = 5_000;

const TOKEN_IN_USE_TEXT =
  'The server has refused this runner: another process uses its token, or used it and may still be executing tasks. Stop the other process, or give this runner a token of its own.';

/** The message of an error for the answer 401. */
const REFUSED = 'Unexpected server response: 401';

const LINK_PATH = '/api/runner/link';

/** The address of the link for a server's address: `unix:/path` or `http(s)://host/base`. */
export const linkUrl = (server: string): string =>
  server.startsWith('unix:')
    ? `ws+unix:${server.slice('unix:'.length)}:${LINK_PATH}`
    : `${server.replace(/^http/i, 'ws').replace(/\/+$/, '')}${LINK_PATH}`;

export interface LinkOptions {
  url: string;
  /** Makes the connections to an https address. */
  agent: Agent | undefined;
  /** Read for each attempt, so that a token can be replaced. */
  token: () => Promise<string>;
  hello: () => Promise<RunnerMessage>;
  heartbeat: () => RunnerMessage;
  onMessage: (message: ServerMessage) => void;
  onLost: () => void;
  /** Called when the server has refused the token, with the number of refusals since the last open link. */
  onRefused: (times: number) => void;
  log: (text: string) => void;
}

/** The connection to the server. When it is lost, or the server is silent, it is opened again until `close` is called. */
export class Link {
  readonly #options: LinkOptions;
  #socket: WebSocket | undefined;
  #isOpen = false;
  #attempts = 0;
  #retry: NodeJS.Timeout | undefined;
  #heartbeat: NodeJS.Timeout | undefined;
  #lastReceived = 0;
  #openedAt = 0;
  #isClosed = false;
  #lastError = '';
  #isRefused = false;
  /** Number of refused tokens since the last open link. */
  #refusals = 0;

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  get isOpen() {
    return this.#isOpen;
  }

  connect(): void {
    void this.#connect();
  }

  /**
   * Sends a message. Without a link the message is discarded: after the next `hello`, the runner sends again what the
   * server lacks.
   */
  readonly send = (message: RunnerMessage): void => {
    if (this.#isOpen) this.#socket?.send(JSON.stringify(message));
  };

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    clearInterval(this.#heartbeat);
    this.#socket?.close(RUNNER_ENDED);
  }

  async #connect(): Promise<void> {
    let socket: WebSocket;
    try {
      const token = await this.#options.token();
      if (this.#isClosed) return;
      // The constructor throws if the token is not valid in a header.
      socket = new WebSocket(this.#options.url, {
        headers: { authorization: `Bearer ${token}` },
        perMessageDeflate: false,
        maxPayload: MAX_SERVER_FRAME,
        handshakeTimeout: LINK_SILENCE_MS,
        ...(this.#options.agent && { agent: this.#options.agent }),
      });
    } catch (error) {
      this.#logOnce(`The link cannot be opened: ${String(error)}`);
      this.#connectLater();
      return;
    }
    this.#socket = socket;
    socket.on('open', () => void this.#opened(socket));
    socket.on('message', (data) => this.#receive(data));
    socket.on('pong', () => this.#restartSilence());
    socket.on('ping', () => this.#restartSilence());
    socket.on('error', (error) => {
      if (error.message === REFUSED) this.#options.onRefused(++this.#refusals);
      this.#logOnce(`The server cannot be reached: ${error.message}`);
    });
    socket.on('close', (code) => {
      if (code === TOKEN_IN_USE) this.#refused();
      this.#closed(socket);
    });
  }

  async #opened(socket: WebSocket): Promise<void> {
    this.#restartSilence();
    const hello = await this.#options.hello();
    if (this.#socket !== socket || socket.readyState !== WebSocket.OPEN) return;
    this.#isOpen = true;
    this.#openedAt = performance.now();
    this.#refusals = 0;
    this.#lastError = '';
    this.send(hello);
    this.#heartbeat = setInterval(() => this.#sendHeartbeat(socket), HEARTBEAT_MS);
  }

  #sendHeartbeat(socket: WebSocket) {
    if (performance.now() - this.#lastReceived > LINK_SILENCE_MS) {
      this.#logOnce('The server is silent: the link is reopened.');
      socket.terminate();
      return;
    }
    socket.ping();
    this.send(this.#options.heartbeat());
  }

  #restartSilence() {
    this.#lastReceived = performance.now();
  }

  #receive(data: RawData) {
    this.#restartSilence();
    let json: unknown;
    try {
      json = JSON.parse(data.toString());
    } catch {
      this.#options.log('A message of the server is not JSON and was ignored.');
      return;
    }
    const message = ServerMessage.safeParse(json);
    if (message.success) {
      this.#isRefused = false;
      this.#options.onMessage(message.data);
      return;
    }
    // Only the paths: the values may be secrets.
    const paths = message.error.issues.map((issue) => issue.path.join('.') || issue.code);
    this.#options.log(`A message of the server is not understood (${[...new Set(paths)].join(', ')}); it was ignored.`);
  }

  #closed(socket: WebSocket) {
    if (this.#socket !== socket) return;
    clearInterval(this.#heartbeat);
    this.#socket = undefined;
    const wasOpen = this.#isOpen;
    this.#isOpen = false;
    // A server whose database is unavailable accepts a link and closes it at once. Delays must grow for it too, so an open
    // link counts only if it lasted.
    if (wasOpen && performance.now() - this.#openedAt > STABLE_MS) this.#attempts = 0;
    if (wasOpen) this.#options.onLost();
    this.#connectLater();
  }

  #connectLater() {
    if (this.#isClosed) return;
    const longest = this.#isRefused ? REFUSED_WAIT_MS : MAX_WAIT_MS;
    const wait = Math.min(longest, FIRST_WAIT_MS * 2 ** this.#attempts);
    this.#attempts = Math.min(this.#attempts + 1, 10);
    this.#retry = setTimeout(() => void this.#connect(), wait * (0.75 + Math.random() / 2));
  }

  /** Called when another process uses the token: logs that once, and connects less often from then on. */
  #refused() {
    if (!this.#isRefused) this.#options.log(TOKEN_IN_USE_TEXT);
    this.#isRefused = true;
    this.#attempts = 10;
  }

  /** Logs a text, unless the last logged text was the same. */
  #logOnce(text: string) {
    if (text !== this.#lastError) this.#options.log(text);
    this.#lastError = text;
  }
}
