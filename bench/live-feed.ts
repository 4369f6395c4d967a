import { once } from 'node:events';
import { type FinalStatus, isFinal, LiveMessage } from '@signalbox/contract';
import { WebSocket } from 'ws';
import type { ApiClient } from '../tooling/product/api-client.ts';

/** Lines of a followed task, and when they arrived, in milliseconds since 1970. */
export interface ArrivedLines {
  readonly taskId: number;
  readonly at: number;
  readonly texts: readonly string[];
}

export interface SeenEnd {
  readonly status: FinalStatus;
  /** When the message arrived, on the clock of `performance.now()`. */
  readonly at: number;
}

/** A live socket with the session of an API client, as a browser opens it. */
export class LiveFeed {
  readonly #socket: WebSocket;
  readonly #ends = new Map<number, SeenEnd>();
  readonly #waiting = new Map<number, (end: SeenEnd) => void>();
  #onLines: (lines: ArrivedLines) => void = () => undefined;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data) => {
      const [at, now] = [performance.now(), Date.now()];
      this.#receive(LiveMessage.parse(JSON.parse(data.toString())), at, now);
    });
  }

  static async open(client: ApiClient): Promise<LiveFeed> {
    const socket = new WebSocket(`${client.address.replace('http', 'ws')}/api/ws`, {
      headers: { cookie: client.cookie },
      origin: client.address,
      perMessageDeflate: false,
    });
    const feed = new LiveFeed(socket);
    await once(socket, 'open');
    // Without this message, the socket would receive the log lines of every task.
    feed.follow([]);
    return feed;
  }

  follow(tasks: readonly number[], onLines: (lines: ArrivedLines) => void = () => undefined): void {
    this.#onLines = onLines;
    this.#socket.send(JSON.stringify({ type: 'follow', tasks }));
  }

  #receive(message: LiveMessage, at: number, now: number): void {
    if (message.type === 'lines') {
      this.#onLines({ taskId: message.task_id, at: now, texts: message.lines.map(([, text]) => text) });
    } else if (message.type === 'update' && isFinal(message.status)) {
      const end = { status: message.status, at };
      this.#ends.set(message.task_id, end);
      this.#waiting.get(message.task_id)?.(end);
    }
  }

  /** Waits for the end of a task. Returns at once if it has already ended. */
  async end(taskId: number, limitMs = 60_000): Promise<SeenEnd> {
    const known = this.#ends.get(taskId);
    if (known) return known;
    const { promise, resolve, reject } = Promise.withResolvers<SeenEnd>();
    this.#waiting.set(taskId, resolve);
    const timer = setTimeout(() => reject(new Error(`Task ${taskId} has not ended in ${limitMs} ms.`)), limitMs);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(taskId);
    }
  }

  /** Waits for the end of a task. @throws when it did not succeed */
  async success(taskId: number, limitMs?: number): Promise<SeenEnd> {
    const end = await this.end(taskId, limitMs);
    if (end.status !== 'success') throw new Error(`Task ${taskId} ended with ${end.status}: it measures nothing.`);
    return end;
  }

  close(): void {
    this.#socket.terminate();
  }
}
