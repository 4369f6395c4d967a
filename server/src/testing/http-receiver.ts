import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** One post as it came. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: Record<string, unknown>;
}

type Answer = (post: Received, response: ServerResponse, index: number) => void | Promise<void>;

export const answering =
  (status: number, body = 'ok', headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    void response.writeHead(status, headers).end(body);

/** A server on this machine that receives posts. It stops after the test. */
class HttpReceiver {
  readonly posts: Received[] = [];
  readonly #server: Server;
  readonly #waiting = new Set<() => void>();
  #answer: Answer = answering(200);

  constructor() {
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      try {
        for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
      } catch {
        return;
      }
      const text = Buffer.concat(chunks).toString('utf8');
      const body = JSON.parse(text) as Record<string, unknown>;
      const post = { path: request.url ?? '', headers: request.headers, text, body };
      this.posts.push(post);
      for (const poll of this.#waiting) poll();
      await this.#answer(post, response, this.posts.length - 1);
    });
  }

  /** Sets how the next posts are answered. */
  answers(answer: Answer): void {
    this.#answer = answer;
  }

  async listen(port = 0): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.listen(port, '127.0.0.1', resolve);
    await promise;
    onTestFinished(() => this.close());
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`;
  }

  /** Resolves after a number of posts, or when the posts fulfil a condition. */
  async until(wanted: number | ((posts: readonly Received[]) => boolean)): Promise<void> {
    const isThere = typeof wanted === 'number' ? () => this.posts.length >= wanted : () => wanted(this.posts);
    if (isThere()) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const poll = (): void => {
      if (isThere()) resolve();
    };
    this.#waiting.add(poll);
    await promise;
    this.#waiting.delete(poll);
  }

  async close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    this.#server.closeAllConnections();
    await promise;
  }
}

export const startReceiver = async (answer: Answer = answering(200)): Promise<HttpReceiver> => {
  const receiver = new HttpReceiver();
  receiver.answers(answer);
  await receiver.listen();
  return receiver;
};
