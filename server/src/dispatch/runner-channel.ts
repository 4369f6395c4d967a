import { RunnerMessage, type ServerMessage } from '@signalbox/contract/link';
import type { RawData, WebSocket } from 'ws';
import { type FrameSubject, parseFrame } from './runner-frame.ts';

/** The close code for who is let in no more, RFC 6455 section 7.4.1. */
const POLICY_VIOLATION = 1008;

/** How long a runner that is dismissed may take to hear its last words, in milliseconds. */
const DISMISS_MS = 2_000;

/** Bytes of messages that wait for their turn before a runner is heard no further, and below which it is heard again. */
const MOST_IN_HAND = 32 * 1024 * 1024;
const LEAST_IN_HAND = 8 * 1024 * 1024;

/** Bytes that a runner may leave unread: more than the orders of all its slots, which hold a large inventory each. */
const MOST_UNREAD = 256 * 1024 * 1024;

export interface ChannelListeners {
  /** Resolves when the message is handled. Reading from a runner pauses while too many messages wait for that. */
  readonly onMessage: (message: RunnerMessage) => Promise<void>;
  readonly onFault: (sentence: string) => void;
  readonly awaits: (subject: FrameSubject) => boolean;
}

/** One runner's connection: messages that fit the contract, both ways. */
export class RunnerChannel {
  readonly #socket: WebSocket;
  /** Bytes of messages that are not handled yet. */
  #inHand = 0;

  constructor(socket: WebSocket, { onMessage, onFault, awaits }: ChannelListeners) {
    this.#socket = socket;
    socket.on('message', (data: RawData) => {
      const frame = data as Buffer;
      try {
        const value = parseFrame(frame, awaits);
        if (value === undefined) return;
        const message = RunnerMessage.safeParse(value);
        if (message.success) this.#take(frame.length, onMessage(message.data));
        else onFault(`A message of a runner is not known here: ${message.error.issues[0]?.message ?? ''}`);
      } catch (error) {
        onFault(`The link to a runner is closed: ${(error as Error).message}`);
        this.close();
      }
    });
  }

  #take(bytes: number, handled: Promise<void>): void {
    this.#inHand += bytes;
    if (this.#inHand > MOST_IN_HAND) this.#socket.pause();
    void handled.finally(() => {
      this.#inHand -= bytes;
      if (this.#inHand < LEAST_IN_HAND && this.#socket.isPaused) this.#socket.resume();
    });
  }

  send(message: ServerMessage): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount > MOST_UNREAD) this.close();
    else this.#socket.send(JSON.stringify(message));
  }

  close(): void {
    this.#socket.terminate();
  }

  /** Closes the link once the messages sent so far have been delivered. */
  dismiss(code = POLICY_VIOLATION): void {
    this.#socket.close(code);
    setTimeout(() => this.close(), DISMISS_MS).unref();
  }
}
