import { RunnerMessage, type ServerMessage } from '@signalbox/contract/link';
import type { RawData, WebSocket } from 'ws';

/** The close code for who is let in no more, RFC 6455 section 7.4.1. */
const POLICY_VIOLATION = 1008;

/** How long a runner that is dismissed may take to hear its last words, in milliseconds. */
const DISMISS_MS = 2_000;

/** One runner's connection: messages that fit the contract, both ways. */
export class RunnerChannel {
  readonly #socket: WebSocket;

  constructor(socket: WebSocket, onMessage: (message: RunnerMessage) => void, onFault: (sentence: string) => void) {
    this.#socket = socket;
    socket.on('message', (data: RawData) => {
      const message = this.#parse(data);
      if (message.success) onMessage(message.data);
      else onFault(`A runner said something that the link does not know: ${message.error.issues[0]?.message ?? ''}`);
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
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(JSON.stringify(message));
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
