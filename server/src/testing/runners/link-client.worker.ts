import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { WebSocket } from 'ws';

/** A frame: `head`, then `part` as often as it fits into `bytes`, then `tail`. */
export interface LargeFrame {
  readonly head: string;
  readonly part: string;
  readonly tail: string;
  readonly bytes: number;
}

/** Whether the link is still open after the server has handled a frame. */
export type LinkState = 'open' | 'closed';

const { address, token, hello } = workerData as { address: string; token: string; hello: string };

const connect = async (): Promise<WebSocket> => {
  const socket = new WebSocket(address, { headers: { authorization: `Bearer ${token}` } });
  socket.on('error', () => undefined);
  await once(socket, 'open');
  // The server ignores output of a run until it has compared the run with its leases, which ends with this message.
  const { promise: compared, resolve } = Promise.withResolvers<void>();
  socket.on('message', (data: Buffer) => data.includes('"type":"resume"') && resolve());
  socket.send(hello);
  await compared;
  return socket;
};

/** Sends frames for a test from another thread, each after the previous one was handled. */
const send = async ({ head, part, tail, bytes }: LargeFrame): Promise<LinkState> => {
  const socket = await connect();
  const closed = once(socket, 'close').then((): LinkState => 'closed');
  socket.send(head + part.repeat(Math.floor((bytes - head.length - tail.length) / Buffer.byteLength(part))) + tail);
  // The server handles frames in order, so the answer to this one proves that the large one was handled.
  socket.ping();
  const state = await Promise.race([closed, once(socket, 'pong').then((): LinkState => 'open')]);
  socket.terminate();
  await closed;
  return state;
};

parentPort?.on('message', (frame: LargeFrame) => {
  void send(frame).then((state) => parentPort?.postMessage(state));
});
