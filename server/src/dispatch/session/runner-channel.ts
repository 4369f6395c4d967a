import { LINK_PROTOCOL, RunnerMessage, type ServerMessage } from '@signalbox/contract/link';
import type { RawData, WebSocket } from 'ws';
import { fromProtocol4, PROTOCOL_4, toProtocol4 } from './link-protocol-4.ts';
import { type FrameSubject, parseFrame } from './runner-frame.ts';

/** Close code for a runner that is refused, RFC 6455 section 7.4.1. */
const POLICY_VIOLATION = 1008;

/** Milliseconds that a runner has to receive the last messages before the link is cut. */
const DISCONNECT_MS = 2_000;

/** Bytes that each unhandled message counts at least: its objects in memory. */
const MIN_IN_HAND = 2 * 1024;

/** Bytes of unhandled messages at which reading from a runner pauses, and below which it continues. */
const PAUSE_ABOVE_BYTES = 32 * 1024 * 1024;
const RESUME_BELOW_BYTES = 8 * 1024 * 1024;

/**
 * Maximum number of bytes that a runner may leave unread. More than the jobs of all its slots, each with a large
 * inventory.
 */
const MAX_UNREAD_BYTES = 256 * 1024 * 1024;

export interface ChannelListeners {
  /** Resolves when the message is handled. Reading from the runner pauses while too many messages are unhandled. */
  readonly onMessage: (message: RunnerMessage) => Promise<void>;
  readonly onFailure: (text: string) => void;
  readonly awaits: (subject: FrameSubject) => boolean;
}

/** The connection of one runner. Sends and receives only messages that the contract allows. */
export class RunnerChannel {
  readonly #socket: WebSocket;
  /** Bytes of received messages that are not handled yet. */
  #inHand = 0;

  /** The protocol of the runner, known from its hello, which is the same in all supported protocols. */
  protocol = LINK_PROTOCOL;

  constructor(socket: WebSocket, { onMessage, onFailure, awaits }: ChannelListeners) {
    this.#socket = socket;
    socket.on('message', (data: RawData) => {
      const frame = data as Buffer;
      try {
        const value = parseFrame(frame, awaits);
        if (value === undefined) return;
        const message = RunnerMessage.safeParse(this.protocol === PROTOCOL_4 ? fromProtocol4(value) : value);
        if (message.success) this.#take(frame.length, onMessage(message.data));
        else onFailure(`Unknown message of a runner: ${message.error.issues[0]?.message ?? ''}`);
      } catch (error) {
        onFailure(`The link to a runner is closed: ${(error as Error).message}`);
        this.close();
      }
    });
  }

  #take(frameBytes: number, handled: Promise<void>): void {
    const bytes = Math.max(frameBytes, MIN_IN_HAND);
    this.#inHand += bytes;
    if (this.#inHand > PAUSE_ABOVE_BYTES) this.#socket.pause();
    void handled.finally(() => {
      this.#inHand -= bytes;
      if (this.#inHand < RESUME_BELOW_BYTES && this.#socket.isPaused) this.#socket.resume();
    });
  }

  send(message: ServerMessage): void {
    if (!this.isOpen) return;
    if (this.#socket.bufferedAmount > MAX_UNREAD_BYTES) this.close();
    else this.#socket.send(JSON.stringify(this.protocol === PROTOCOL_4 ? toProtocol4(message) : message));
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  close(): void {
    this.#socket.terminate();
  }

  /** Closes the link once the messages sent so far have been delivered. */
  disconnect(code = POLICY_VIOLATION): void {
    this.#socket.close(code);
    setTimeout(() => this.close(), DISCONNECT_MS).unref();
  }
}
