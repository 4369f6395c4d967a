import { request } from 'node:http';
import { parentPort } from 'node:worker_threads';

/** A request whose body is `head`, then `part` as often as it fits into `bytes`, then `tail`. */
export interface LargeRequest {
  readonly url: string;
  readonly method: string;
  readonly cookie: string;
  readonly head: string;
  readonly part: string;
  readonly tail: string;
  readonly bytes: number;
  /** Value of the `If-Match` header. */
  readonly ifMatch?: string;
}

export interface LargeAnswer {
  /** 0 when the connection ended without an answer. */
  readonly status: number;
  readonly text: string;
}

const bodyOf = ({ head, part, tail, bytes }: LargeRequest): string => {
  const space = bytes - Buffer.byteLength(head) - Buffer.byteLength(tail);
  return head + part.repeat(Math.max(0, Math.floor(space / Buffer.byteLength(part)))) + tail;
};

/** Sends requests for a test from another thread, so that the measured thread does only the server's work. */
parentPort?.on('message', (large: LargeRequest) => {
  const body = bodyOf(large);
  const { promise, resolve } = Promise.withResolvers<LargeAnswer>();
  const headers = {
    cookie: large.cookie,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
    ...(large.ifMatch === undefined ? {} : { 'if-match': large.ifMatch }),
  };
  const sent = request(large.url, { method: large.method, headers }, (answer) => {
    const chunks: Buffer[] = [];
    answer.on('data', (chunk: Buffer) => chunks.push(chunk));
    answer.on('close', () =>
      resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8', 0, 500) }),
    );
  });
  // A server that answers before the end of the body closes the connection: sending fails, but the answer counts.
  sent.on('error', (error) => setImmediate(() => resolve({ status: 0, text: error.message })));
  sent.end(body);
  void promise.then((answer) => parentPort?.postMessage(answer));
});
