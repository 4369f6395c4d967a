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

/** Whether the server still has the link after it has handled a frame. */
export type LinkState = 'open' | 'closed';

const { address, token, hello } = workerData as { address: string; token: string; hello: string };

const connect = async (): Promise<WebSocket> => {
  const socket = new WebSocket(address, { headers: { authorization: `Bearer ${token}` } });
  socket.on('error', () => undefined);
  await once(socket, 'open');
  socket.send(hello);
  return socket;
};

/** Sends frames for a test from a thread of its own, each after the one before was handled. */
const send = async ({ head, part, tail, bytes }: LargeFrame): Promise<LinkState> => {
  const socket = await connect();
  const closed = once(socket, 'close').then((): LinkState => 'closed');
  socket.send(head + part.repeat(Math.floor((bytes - head.length - tail.length) / Buffer.byteLength(part))) + tail);
  // Frames are handled in order: an answer to this one comes after the large one was parsed.
  socket.ping();
  const state = await Promise.race([closed, once(socket, 'pong').then((): LinkState => 'open')]);
  socket.terminate();
  await closed;
  return state;
};

parentPort?.on('message', (frame: LargeFrame) => {
  void send(frame).then((state) => parentPort?.postMessage(state));
});
