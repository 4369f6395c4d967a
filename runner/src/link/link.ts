import {
  HEARTBEAT_MS,
  LINK_SILENCE_MS,
  MAX_SERVER_FRAME,
  type RunnerMessage,
  ServerMessage,
  TOKEN_IN_USE,
} from '@signalbox/contract/link';
import { type RawData, WebSocket } from 'ws';

/** Wait before a new attempt, in milliseconds: the first, and the longest. */
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 2_000;
/** Delay between attempts while the server refuses this runner because another process uses its token. */
const REFUSED_WAIT_MS = 10_000;

/** A link that held so long was a good one, in milliseconds: the next attempt comes soon. */
const STEADY_MS = 5_000;

const IN_USE =
  'The server has refused this runner: another process uses its token, or used it and may still be executing tasks. Stop the other process, or give this runner a token of its own.';

const LINK_PATH = '/api/runner/link';

/** The address of the link for a server's address: `unix:/path` or `http(s)://host/base`. */
export const linkUrl = (server: string): string =>
  server.startsWith('unix:')
    ? `ws+unix:${server.slice('unix:'.length)}:${LINK_PATH}`
    : `${server.replace(/^http/i, 'ws').replace(/\/+$/, '')}${LINK_PATH}`;

export interface LinkOptions {
  url: string;
  /** Read anew for each attempt, so that a token can be replaced. */
  token: () => Promise<string>;
  hello: () => Promise<RunnerMessage>;
  heartbeat: () => RunnerMessage;
  onMessage: (message: ServerMessage) => void;
  onLost: () => void;
  note: (sentence: string) => void;
}

/** The connection to the server: opened again and again until `close`, watched for silence. */
export class Link {
  readonly #options: LinkOptions;
  #socket: WebSocket | undefined;
  #isOpen = false;
  #attempts = 0;
  #retry: NodeJS.Timeout | undefined;
  #pulse: NodeJS.Timeout | undefined;
  #lastHeard = 0;
  #openedAt = 0;
  #isClosed = false;
  #lastFault = '';
  #isRefused = false;

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  get isOpen() {
    return this.#isOpen;
  }

  connect(): void {
    void this.#connect();
  }

  /** Sends, or forgets when there is no link: what matters is said again after `hello`. */
  readonly send = (message: RunnerMessage): void => {
    if (this.#isOpen) this.#socket?.send(JSON.stringify(message));
  };

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    clearInterval(this.#pulse);
    this.#socket?.close();
  }

  async #connect(): Promise<void> {
    let socket: WebSocket;
    try {
      const token = await this.#options.token();
      if (this.#isClosed) return;
      // It refuses a token that no header may hold.
      socket = new WebSocket(this.#options.url, {
        headers: { authorization: `Bearer ${token}` },
        perMessageDeflate: false,
        maxPayload: MAX_SERVER_FRAME,
        handshakeTimeout: LINK_SILENCE_MS,
      });
    } catch (fault) {
      this.#say(`The link cannot be opened: ${String(fault)}`);
      this.#again();
      return;
    }
    this.#socket = socket;
    socket.on('open', () => void this.#opened(socket));
    socket.on('message', (data) => this.#heard(data));
    socket.on('pong', () => this.#alive());
    socket.on('ping', () => this.#alive());
    socket.on('error', (fault) => this.#say(`The server cannot be reached: ${fault.message}`));
    socket.on('close', (code) => {
      if (code === TOKEN_IN_USE) this.#refused();
      this.#closed(socket);
    });
  }

  async #opened(socket: WebSocket): Promise<void> {
    this.#alive();
    const hello = await this.#options.hello();
    if (this.#socket !== socket || socket.readyState !== WebSocket.OPEN) return;
    this.#isOpen = true;
    this.#openedAt = performance.now();
    this.#lastFault = '';
    this.send(hello);
    this.#pulse = setInterval(() => this.#beat(socket), HEARTBEAT_MS);
  }

  #beat(socket: WebSocket) {
    if (performance.now() - this.#lastHeard > LINK_SILENCE_MS) {
      this.#say('The server is silent: the link is opened anew.');
      socket.terminate();
      return;
    }
    socket.ping();
    this.send(this.#options.heartbeat());
  }

  #alive() {
    this.#lastHeard = performance.now();
  }

  #heard(data: RawData) {
    this.#alive();
    let json: unknown;
    try {
      json = JSON.parse(data.toString());
    } catch {
      this.#options.note('A message of the server is no JSON; it is passed over.');
      return;
    }
    const message = ServerMessage.safeParse(json);
    if (message.success) {
      this.#isRefused = false;
      this.#options.onMessage(message.data);
      return;
    }
    // Only where it is wrong: the values may be secrets.
    const places = message.error.issues.map((issue) => issue.path.join('.') || issue.code);
    this.#options.note(
      `A message of the server is not understood (${[...new Set(places)].join(', ')}); it is passed over.`,
    );
  }

  #closed(socket: WebSocket) {
    if (this.#socket !== socket) return;
    clearInterval(this.#pulse);
    this.#socket = undefined;
    const wasOpen = this.#isOpen;
    this.#isOpen = false;
    // A server that lets us in and closes at once, because its database is away, is not asked ever faster.
    if (wasOpen && performance.now() - this.#openedAt > STEADY_MS) this.#attempts = 0;
    if (wasOpen) this.#options.onLost();
    this.#again();
  }

  #again() {
    if (this.#isClosed) return;
    const longest = this.#isRefused ? REFUSED_WAIT_MS : LONGEST_WAIT_MS;
    const wait = Math.min(longest, FIRST_WAIT_MS * 2 ** this.#attempts);
    this.#attempts = Math.min(this.#attempts + 1, 10);
    this.#retry = setTimeout(() => void this.#connect(), wait * (0.75 + Math.random() / 2));
  }

  /** Called when another process uses the token: logs that once, and connects less often from then on. */
  #refused() {
    if (!this.#isRefused) this.#options.note(IN_USE);
    this.#isRefused = true;
    this.#attempts = 10;
  }

  /** Says a fault once, however often it repeats. */
  #say(sentence: string) {
    if (sentence !== this.#lastFault) this.#options.note(sentence);
    this.#lastFault = sentence;
  }
}
