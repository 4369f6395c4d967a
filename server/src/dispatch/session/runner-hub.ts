import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { DEFAULT_APP, type InstalledApp, ONLY_SYSTEM } from '@signalbox/contract';
import {
  LINK_PROTOCOL,
  LINK_SILENCE_MS,
  MAX_RUNNER_FRAME,
  OLDEST_LINK_PROTOCOL,
  RUNNER_ENDED,
  type RunnerMessage,
  type ServerMessage,
  TOKEN_IN_USE,
} from '@signalbox/contract/link';
import { type WebSocket, WebSocketServer } from 'ws';
import { isLocalName } from '../local-runner/local-runner.store.ts';
import { RunnerChannel } from './runner-channel.ts';
import { RunnerSession, type SessionDeps } from './runner-session.ts';
import type { KnownToken } from './runner-tokens.ts';

/** A runner that has sent hello and is connected. */
export interface ConnectedRunner {
  readonly id: number;
  /** Hash of the token that the runner has authenticated with, or that has replaced this token. */
  readonly tokenHash: string;
  readonly slots: number;
  readonly version: string;
  /** The apps that it can run. */
  readonly apps: readonly InstalledApp[];
  readonly pid: number;
  /** The operating system user that runs its tasks; null for the user of the runner. */
  readonly runAs: string | null;
  readonly session: RunnerSession;
  readonly draining: boolean;
  send(message: ServerMessage): void;
}

export interface HubDeps extends Omit<SessionDeps, 'runnerId' | 'tokenHash' | 'send' | 'fail' | 'disconnect'> {
  readonly version: string;
  readonly log: { warn(input: object, reasonText: string): void };
  /** Digest of the settings that the local runner must have; undefined without a local runner. */
  readonly localSettings: () => string | undefined;
  readonly onWelcome: () => void;
  readonly onLeft: () => void;
  /** Called when the link of a runner that takes no more tasks has closed: by the runner, which ends, or otherwise. */
  readonly onEnded: (runnerId: number, isConfirmed: boolean) => Promise<void>;
}

/** A runner whose token is in the database. */
interface KnownRunner extends KnownToken {
  /** Whether this is the local runner, which a server starts itself. */
  readonly isLocal: boolean;
}

type Hello = Extract<RunnerMessage, { type: 'hello' }>;

/** The apps in a hello. A runner that sends none is older and runs Ansible only. */
const installedApps = ({ apps, ansible }: Hello): readonly InstalledApp[] =>
  apps ?? [{ name: DEFAULT_APP, version: ansible }];

const WARN_EVERY_MS = 60 * 60_000;

export const LINK_PATH = '/api/runner/link';

/**
 * Accepts connections of runners. A runner authenticates with its token, reports the runs that it holds, and then
 * gets jobs.
 */
export class RunnerHub {
  readonly #deps: HubDeps;
  readonly #sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_RUNNER_FRAME, perMessageDeflate: false });
  readonly #warned = new Map<number, number>();
  readonly #runners = new Map<number, ConnectedRunner & { close(): void }>();
  #isClosed = false;

  constructor(deps: HubDeps) {
    this.#deps = deps;
  }

  runners = (): readonly ConnectedRunner[] => [...this.#runners.values()];

  /** A server on a Unix socket for the local runner: it stays reachable when the port changes. */
  listen(socketPath: string): Promise<Server> {
    const server = createServer((_request, response) => response.writeHead(404).end());
    server.on('upgrade', (request, socket, head) => void this.handleUpgrade(request, socket, head));
    const { promise, resolve, reject } = Promise.withResolvers<Server>();
    server.once('error', reject);
    server.listen(socketPath, () => resolve(server));
    return promise;
  }

  /** Accepts a runner with a valid token, whatever the path. */
  async handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy());
    const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1];
    const runner =
      token === undefined ? undefined : await this.#deps.tokens.find(token).catch(() => 'unknown' as const);
    if (runner === 'unknown') {
      // The token may be valid. It cannot be checked while the database is unavailable.
      socket.end('HTTP/1.1 503 Service Unavailable\r\nretry-after: 2\r\nconnection: close\r\n\r\n');
      return;
    }
    if (!runner) {
      socket.end('HTTP/1.1 401 Unauthorized\r\nconnection: close\r\n\r\n');
      return;
    }
    this.#sockets.handleUpgrade(request, socket, head, (websocket) =>
      this.#connect(websocket, { ...runner, isLocal: isLocalName(runner.name) }),
    );
  }

  #connect(socket: WebSocket, runner: KnownRunner): void {
    const { id: runnerId, tokenHash } = runner;
    const { log } = this.#deps;
    const session = new RunnerSession({
      ...this.#deps,
      runnerId,
      tokenHash,
      send: (message) => channel.send(message),
      fail: (error) => {
        log.warn(
          { err: error, runner: runnerId },
          'the link to a runner failed and is closed; the runner connects again',
        );
        channel.close();
      },
      disconnect: () => channel.disconnect(),
    });
    const silence = setTimeout(() => channel.close(), LINK_SILENCE_MS);
    const channel = new RunnerChannel(socket, {
      awaits: (subject) => session.awaits(subject),
      onMessage: async (message) => {
        silence.refresh();
        if (message.type === 'hello' && !(await this.#admit(message, runner, session, channel))) return;
        await session.receive(message).finally(() => silence.refresh());
      },
      onFailure: (reasonText) => log.warn({ runner: runnerId }, reasonText),
    });
    socket.on('error', () => channel.close());
    socket.on('ping', () => silence.refresh());
    socket.on('close', (code) => {
      clearTimeout(silence);
      session.queries.close();
      void this.#left(runnerId, session, code === RUNNER_ENDED);
      if (this.#runners.get(runnerId)?.session === session) {
        this.#runners.delete(runnerId);
        this.#deps.onLeft();
      }
    });
  }

  async #left(runnerId: number, session: RunnerSession, isConfirmed: boolean): Promise<void> {
    await session.left();
    // A server that stops has closed the link itself, and the runner connects to the next one.
    if (!session.isDraining || this.#isClosed) return;
    await this.#deps
      .onEnded(runnerId, isConfirmed)
      .catch((error: unknown) =>
        this.#deps.log.warn({ err: error, runner: runnerId }, 'an ended runner was not removed'),
      );
  }

  /** Admits and welcomes the process that sent a hello. Refuses it while another process with the same token is alive. */
  async #admit(hello: Hello, runner: KnownRunner, session: RunnerSession, channel: RunnerChannel) {
    const { id } = runner;
    try {
      const { process, predecessors, version, slots, run_as: runAs } = hello;
      const { environments = ONLY_SYSTEM } = hello;
      const reported = { version, apps: installedApps(hello), environments, slots, runAs };
      const admitted = await this.#deps.admission.admit({ runnerId: id, process, predecessors, reported });
      if (admitted === undefined) {
        this.#warnOfDuplicate(id);
        channel.disconnect(TOKEN_IN_USE);
        return false;
      }
      session.connection = admitted.connection;
      // A runner that signs in with a new token has stored it.
      if (runner.isPending && !(await this.#deps.tokens.confirm(id, runner.tokenHash)))
        throw new Error('another token was sent to the runner');
      // The link may have closed during the challenge. A session without a link would hold its tasks forever.
      if (!channel.isOpen) {
        await session.left();
        return false;
      }
    } catch (error) {
      // The database can't be reached: the runner connects again.
      this.#deps.log.warn({ err: error, runner: id }, 'a runner could not be admitted; it will connect again');
      channel.close();
      return false;
    }
    this.#welcome(hello, runner, session, channel);
    return true;
  }

  /** Logs a refused process at most once an hour, because it connects again every few seconds. */
  #warnOfDuplicate(id: number): void {
    const now = this.#deps.clock.monotonic();
    if (now - (this.#warned.get(id) ?? Number.NEGATIVE_INFINITY) < WARN_EVERY_MS) return;
    this.#warned.set(id, now);
    this.#deps.log.warn({ runner: id }, 'a second process uses the token of this runner and was refused');
  }

  #welcome(hello: Hello, { id, isLocal }: KnownRunner, session: RunnerSession, channel: RunnerChannel): void {
    // The same runner on a second connection: the first connection is dead, even if TCP has not noticed.
    this.#runners.get(id)?.close();
    const isSupported = hello.protocol >= OLDEST_LINK_PROTOCOL && hello.protocol <= LINK_PROTOCOL;
    // The server answers with the protocol of the runner, which accepts no other.
    const protocol = isSupported ? hello.protocol : LINK_PROTOCOL;
    channel.protocol = protocol;
    channel.send({ type: 'welcome', protocol, version: this.#deps.version });
    if (!isSupported) channel.send({ type: 'drain' });
    session.link.admitted({ apps: installedApps(hello), environments: hello.environments ?? ONLY_SYSTEM });
    // A local runner from before the apps cannot start a run: its supervisor and its plugin were moved by the upgrade.
    // One with other settings would ignore those of this server, such as SIGNALBOX_RUN_AS.
    const isOutdated = isLocal && (hello.apps === undefined || hello.settings !== this.#deps.localSettings());
    // The server starts a runner of its own version as soon as this one ends.
    session.isReplacedWhenIdle = isOutdated || (isLocal && hello.version !== this.#deps.version);
    session.token.isReplaceable = hello.replaces_token === true;
    this.#runners.set(id, {
      id,
      get tokenHash() {
        return session.token.hash;
      },
      slots: hello.slots,
      version: hello.version,
      get apps() {
        return session.link.abilities.apps;
      },
      pid: hello.pid,
      runAs: hello.run_as,
      session,
      get draining() {
        return !isSupported || isOutdated || session.isDraining;
      },
      send: (message) => channel.send(message),
      close: () => channel.close(),
    });
    this.#deps.onWelcome();
  }

  /** Asks a runner to end after its tasks, if it is connected to this server. */
  drain(id: number): void {
    this.#runners.get(id)?.send({ type: 'drain' });
  }

  /** Disconnects a runner whose token was revoked. The runner ends its runs. */
  disconnect(id: number): void {
    this.#runners.get(id)?.session.disconnect();
  }

  /** Closes every link. Runs continue, and their runners connect again. */
  close(): void {
    this.#isClosed = true;
    for (const runner of this.#runners.values()) runner.close();
    this.#sockets.close();
  }
}
