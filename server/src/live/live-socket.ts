import { FollowMessage, LIVE_MESSAGE_BURST, LIVE_MESSAGES_PER_SECOND, type LiveMessage } from '@signalbox/contract';
import type { RawData, WebSocket } from 'ws';
import { MessageRate } from './message-rate.ts';
import { SendWindow } from './send-window.ts';

/** Bytes in flight above which a client gets no more lines until it has caught up. */
const WINDOW_BYTES = 256 * 1024;
const CAUGHT_UP_BYTES = 64 * 1024;
/** Bytes waiting in memory above which a client gets no single lines. */
const SLOW_BYTES = 1024 * 1024;
/** Bytes waiting in memory above which a client is cut off, because small messages also fill the memory. */
const STUCK_BYTES = 4 * SLOW_BYTES;

const POLICY_VIOLATION = 1008;
/** Milliseconds that a client has to close the socket after it sent too much, before the server cuts the connection. */
const FAREWELL_MS = 1_000;

/** An encoded message, shared by all recipients. */
export type Encoded = Buffer;

export const encode = (message: LiveMessage): Encoded => Buffer.from(JSON.stringify(message), 'utf8');

/** What a client may receive. */
export interface Subscriber {
  readonly userId: number;
  readonly projects: ReadonlySet<number>;
  readonly isAdmin: boolean;
  /** Ids of the templates whose tasks the client must not see. */
  readonly hidden: ReadonlySet<number>;
}

/** The socket of one browser or program. The server sets what it may receive; the client chooses what it follows. */
export class LiveSocket {
  readonly token: string;
  /** When the client connected, on the monotonic clock. */
  readonly since = performance.now();
  readonly #socket: WebSocket;
  #subscriber: Subscriber;
  /** Undefined until the client sends a list of tasks: until then it gets the plain protocol with every log. */
  #follows: ReadonlySet<number> | undefined;
  readonly #behind = new Set<number>();
  readonly #window: SendWindow;
  readonly #rate = new MessageRate(LIVE_MESSAGES_PER_SECOND, LIVE_MESSAGE_BURST, performance.now());
  readonly #onFollow: () => void;

  /** @param onFollow called when the client chooses other tasks */
  constructor(socket: WebSocket, token: string, subscriber: Subscriber, onFollow: () => void = () => undefined) {
    this.#socket = socket;
    this.#onFollow = onFollow;
    this.token = token;
    this.#subscriber = subscriber;
    this.#window = new SendWindow((marker) => socket.ping(marker));
    socket.on('pong', (marker: Buffer) => this.#window.answered(marker.toString('latin1')));
    socket.on('message', (data: RawData) => this.#ifNotTooMany(() => this.#receive(data)));
    socket.on('ping', (data: Buffer) => this.#ifNotTooMany(() => this.#deliver(() => socket.pong(data))));
    // ws reports a broken connection as an error, followed by a close event that is handled.
    socket.on('error', () => socket.terminate());
  }

  #ifNotTooMany(work: () => void): void {
    // Messages after the one that exceeded the limit are not parsed.
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#rate.take(performance.now())) {
      work();
      return;
    }
    this.#socket.close(POLICY_VIOLATION, 'Too many messages.');
    setTimeout(() => this.#socket.terminate(), FAREWELL_MS).unref();
  }

  #receive(data: RawData): void {
    let value: unknown;
    try {
      value = JSON.parse((data as Buffer).toString('utf8'));
    } catch {
      return;
    }
    const message = FollowMessage.safeParse(value);
    if (!message.success) return;
    this.#follows = new Set(message.data.tasks);
    this.#onFollow();
  }

  set subscriber(subscriber: Subscriber) {
    this.#subscriber = subscriber;
  }

  get subscriber(): Subscriber {
    return this.#subscriber;
  }

  get isAdmin(): boolean {
    return this.#subscriber.isAdmin;
  }

  get slow(): boolean {
    return this.#socket.bufferedAmount > SLOW_BYTES;
  }

  receives(projectId: number): boolean {
    return this.#subscriber.projects.has(projectId);
  }

  /** Whether there are templates that the client must not see. */
  get isRestricted(): boolean {
    return this.#subscriber.hidden.size > 0;
  }

  sees(templateId: number): boolean {
    return !this.#subscriber.hidden.has(templateId);
  }

  get wantsRecords(): boolean {
    return this.#follows === undefined;
  }

  get followed(): ReadonlySet<number> {
    return this.#follows ?? new Set();
  }

  follows(taskId: number): boolean {
    return this.#follows?.has(taskId) ?? false;
  }

  send(message: Encoded): void {
    this.#deliver(() => {
      this.#socket.send(message, { binary: false });
      this.#window.sent(message.length);
    });
  }

  #deliver(write: () => void): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount > STUCK_BYTES) this.#socket.terminate();
    else write();
  }

  /**
   * Lines for a slow client are dropped: it later gets the length of the log and asks for the rest. So other
   * messages, such as the end of the task, never wait behind megabytes of lines.
   */
  sendLines(taskId: number, message: Encoded): void {
    if (this.#window.underWay > WINDOW_BYTES || this.slow) this.#behind.add(taskId);
    else if (!this.#behind.has(taskId)) this.send(message);
  }

  /** Sends a ping. A client that is alive answers with a pong. */
  ping(): void {
    this.#window.marker();
  }

  /** Returns tasks whose lines were dropped, once the client has caught up. */
  takeCaughtUp(): number[] {
    if (this.#behind.size === 0 || this.#window.underWay > CAUGHT_UP_BYTES) return [];
    const tasks = [...this.#behind];
    this.#behind.clear();
    return tasks;
  }

  /** Called when the length of the log could not be read. */
  staysBehind(taskId: number): void {
    this.#behind.add(taskId);
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason);
  }
}
