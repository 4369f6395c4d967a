import { once } from 'node:events';
import {
  HEARTBEAT_MS,
  LINK_PROTOCOL,
  type ReportedRun,
  RUNNER_ENDED,
  type RunnerMessage,
  ServerMessage,
} from '@signalbox/contract/link';
import { WebSocket } from 'ws';
import { LINK_PATH } from '../../dispatch/session/runner-hub.ts';
import { runnerSocketPath } from '../../files/data-folder.ts';
import { hashToken } from '../../secrets/token.ts';
import { VERSION } from '../../version.ts';
import type { TestServer } from '../test-server.ts';

type MessageOf<T extends ServerMessage['type']> = Extract<ServerMessage, { type: T }>;

/** A runner whose messages the test writes, for cases in which the real one is hard to put. */
export class ScriptedRunner {
  readonly #socket: WebSocket;
  /** Resolves when the link has closed. */
  readonly closed: Promise<void>;
  readonly received: ServerMessage[] = [];
  readonly #waiting: { matches: (message: ServerMessage) => boolean; resolve: (message: ServerMessage) => void }[] = [];

  /**
   * @param address of the link, with the protocol ws: or ws+unix:
   * @param read checks a message of the server
   */
  constructor(address: string, token: string, read: (value: unknown) => ServerMessage = ServerMessage.parse) {
    this.#socket = new WebSocket(address, {
      headers: { authorization: `Bearer ${token}` },
    });
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    this.closed = closed;
    this.#socket.once('close', () => resolve());
    // Keeps the link alive with pings. The test sends the heartbeats.
    const pulse = setInterval(() => this.#socket.readyState === WebSocket.OPEN && this.#socket.ping(), HEARTBEAT_MS);
    this.#socket.once('close', () => clearInterval(pulse));
    this.#socket.on('message', (data: Buffer) => this.#receive(read(JSON.parse(data.toString('utf8')))));
  }

  /** Called with each message, for a runner that answers automatically. */
  onReceived: (message: ServerMessage) => void = () => undefined;

  #receive(message: ServerMessage): void {
    this.received.push(message);
    this.onReceived(message);
    for (const waiting of this.#waiting.filter(({ matches }) => matches(message))) waiting.resolve(message);
  }

  async open(): Promise<void> {
    await once(this.#socket, 'open');
  }

  send(message: RunnerMessage): void {
    this.#socket.send(JSON.stringify(message));
  }

  hello(runs: ReportedRun[] = [], more: Partial<Extract<RunnerMessage, { type: 'hello' }>> = {}): void {
    const [type, protocol, ansible] = ['hello', LINK_PROTOCOL, '2.14.18'] as const;
    const usual = { type, protocol, version: VERSION, ansible, pid: process.pid, slots: 3, run_as: null };
    this.send({ ...usual, predecessors: [], runs, ...more });
  }

  /** Returns the next message of a type. */
  async receives<T extends ServerMessage['type']>(type: T): Promise<MessageOf<T>> {
    const index = this.received.findIndex((message) => message.type === type);
    if (index >= 0) return this.received.splice(index, 1)[0] as MessageOf<T>;
    const { promise, resolve } = Promise.withResolvers<ServerMessage>();
    this.#waiting.push({ matches: (message) => message.type === type, resolve });
    const message = await promise;
    this.#waiting.splice(0);
    this.received.splice(this.received.indexOf(message), 1);
    return message as MessageOf<T>;
  }

  /** Cuts the link. */
  close(): void {
    this.#socket.terminate();
  }

  /** Closes the link like a runner that ends. */
  end(): void {
    this.#socket.close(RUNNER_ENDED);
  }
}

export const SCRIPTED_TOKEN = 'token-of-the-scripted-runner';

/** Stores a runner in the database and connects it through the socket of the local runner. */
export const connectRunner = async (
  server: TestServer,
  folder: string,
  token = SCRIPTED_TOKEN,
  readMessage?: (value: unknown) => ServerMessage,
): Promise<ScriptedRunner> => {
  const { read, autocommit } = server.storage.database;
  const known = await read
    .selectFrom('runner')
    .select('id')
    .where('token_hash', '=', hashToken(SCRIPTED_TOKEN))
    .executeTakeFirst();
  if (!known)
    await autocommit
      .insertInto('runner')
      .values({ name: 'scripted', token_hash: hashToken(SCRIPTED_TOKEN), slots: 3, created: new Date().toISOString() })
      .execute();
  const runner = new ScriptedRunner(`ws+unix:${runnerSocketPath(folder)}:${LINK_PATH}`, token, readMessage);
  await runner.open();
  return runner;
};
