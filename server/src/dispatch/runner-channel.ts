import { RunnerMessage, type ServerMessage } from '@signalbox/contract/link';
import type { RawData, WebSocket } from 'ws';

/** The close code for who is let in no more, RFC 6455 section 7.4.1. */
const POLICY_VIOLATION = 1008;

/** How long a runner that is dismissed may take to hear its last words, in milliseconds. */
const DISMISS_MS = 2_000;

/** Bytes of messages that wait for their turn before a runner is heard no further, and below which it is heard again. */
const MOST_IN_HAND = 32 * 1024 * 1024;
const LEAST_IN_HAND = 8 * 1024 * 1024;

/** Bytes that a runner may leave unread: more than the orders of all its slots, which hold a large inventory each. */
const MOST_UNREAD = 256 * 1024 * 1024;

/** One runner's connection: messages that fit the contract, both ways. */
export class RunnerChannel {
  readonly #socket: WebSocket;
  /** Bytes of messages that are not handled yet. */
  #inHand = 0;

  /** @param onMessage resolves when the message is handled: a runner is heard no further while too much waits for that */
  constructor(
    socket: WebSocket,
    onMessage: (message: RunnerMessage) => Promise<void>,
    onFault: (sentence: string) => void,
  ) {
    this.#socket = socket;
    socket.on('message', (data: RawData) => {
      const message = this.#parse(data);
      if (message.success) this.#take((data as Buffer).length, onMessage(message.data));
      else onFault(`A runner said something that the link does not know: ${message.error.issues[0]?.message ?? ''}`);
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

  #parse(data: RawData) {
    let value: unknown;
    try {
      value = JSON.parse((data as Buffer).toString('utf8'));
    } catch {
      value = undefined;
    }
    return RunnerMessage.safeParse(value);
  }

  send(message: ServerMessage): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount > MOST_UNREAD) this.close();
    else this.#socket.send(JSON.stringify(message));
  }

  close(): void {
    this.#socket.terminate();
  }

  /** Closes behind what was sent, so that the runner hears that too. */
  dismiss(): void {
    this.#socket.close(POLICY_VIOLATION);
    setTimeout(() => this.close(), DISMISS_MS).unref();
  }
}
