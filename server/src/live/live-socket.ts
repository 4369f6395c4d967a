import { FollowMessage, LIVE_MESSAGE_BURST, LIVE_MESSAGES_PER_SECOND, type LiveMessage } from '@signalbox/contract';
import type { RawData, WebSocket } from 'ws';
import { MessageRate } from './message-rate.ts';
import { SendWindow } from './send-window.ts';

/** A listener to whom more than this is under way gets no more lines until it has caught up. */
const WINDOW_BYTES = 256 * 1024;
const CAUGHT_UP_BYTES = 64 * 1024;
/** A socket that has more than this waiting in our memory cannot be served line by line. */
const SLOW_BYTES = 1024 * 1024;
/** A socket with so much waiting reads nothing at all, and is cut off: also small messages fill the memory in the end. */
const STUCK_BYTES = 4 * SLOW_BYTES;

const POLICY_VIOLATION = 1008;
/** Milliseconds that a client has to close the socket after it sent too much, before the server cuts the connection. */
const FAREWELL_MS = 1_000;

/** A message as it goes over the wire, encoded once for everybody who gets it. */
export type Encoded = Buffer;

export const encode = (message: LiveMessage): Encoded => Buffer.from(JSON.stringify(message), 'utf8');

/** What a listener may hear now. */
export interface Hearing {
  readonly userId: number;
  readonly projects: ReadonlySet<number>;
  readonly isAdmin: boolean;
}

/** One browser or program that listens. What it may hear is set from outside; what it asked for, it says itself. */
export class LiveSocket {
  readonly token: string;
  readonly #socket: WebSocket;
  #hearing: Hearing;
  /** Undefined until the client narrows what it gets: then it has the plain form of every log. */
  #follows: ReadonlySet<number> | undefined;
  readonly #behind = new Set<number>();
  readonly #window: SendWindow;
  readonly #rate = new MessageRate(LIVE_MESSAGES_PER_SECOND, LIVE_MESSAGE_BURST, performance.now());

  constructor(socket: WebSocket, token: string, hearing: Hearing) {
    this.#socket = socket;
    this.token = token;
    this.#hearing = hearing;
    this.#window = new SendWindow((mark) => socket.ping(mark));
    socket.on('pong', (mark: Buffer) => this.#window.answered(mark.toString('latin1')));
    socket.on('message', (data: RawData) => this.#ifNotTooMany(() => this.#receive(data)));
    socket.on('ping', (data: Buffer) => this.#ifNotTooMany(() => this.#deliver(() => socket.pong(data))));
    // ws reports a broken peer as an error first; the close that follows is what matters.
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
    if (message.success) this.#follows = new Set(message.data.tasks);
  }

  set hearing(hearing: Hearing) {
    this.#hearing = hearing;
  }

  get hearing(): Hearing {
    return this.#hearing;
  }

  get isAdmin(): boolean {
    return this.#hearing.isAdmin;
  }

  get slow(): boolean {
    return this.#socket.bufferedAmount > SLOW_BYTES;
  }

  hears(projectId: number): boolean {
    return this.#hearing.projects.has(projectId);
  }

  get wantsRecords(): boolean {
    return this.#follows === undefined;
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
   * Lines for a slow listener are kept nowhere: it is told later how far the log has come, and asks for the rest. So what
   * is not of a log, such as the end of the task, never waits behind megabytes on their way.
   */
  sendLines(taskId: number, message: Encoded): void {
    if (this.#window.underWay > WINDOW_BYTES || this.slow) this.#behind.add(taskId);
    else if (!this.#behind.has(taskId)) this.send(message);
  }

  /** Asks whether anybody is there; who is answers with a pong. */
  ping(): void {
    this.#window.mark();
  }

  /** Tasks whose lines were held back, once the listener has caught up with what it was sent. */
  takeCaughtUp(): number[] {
    if (this.#behind.size === 0 || this.#window.underWay > CAUGHT_UP_BYTES) return [];
    const tasks = [...this.#behind];
    this.#behind.clear();
    return tasks;
  }

  /** It could not be told how far the log has come. */
  staysBehind(taskId: number): void {
    this.#behind.add(taskId);
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason);
  }
}
