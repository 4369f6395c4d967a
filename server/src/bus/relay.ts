import { setTimeout as delay } from 'node:timers/promises';
import type { ServerState } from '@signalbox/contract';
import type { Clock } from '../clock.ts';
import type { NoticeChannel, OpenNotices } from '../database/notice-channel.ts';
import type { Bus, BusEvents, Origin } from './bus.ts';
import { type LinkedRunner, shortened } from './linked-runner.ts';
import { type Notice, readNotice, SIGNALS, type Watched } from './notice.ts';
import { Peers } from './peers.ts';
import { PendingNotices } from './pending-notices.ts';
import { RemoteLogs, type RemoteLogsDeps } from './remote-logs.ts';
import { StoringTasks } from './storing-tasks.ts';

/** Time in which events are collected for one notice, and between two notices, in milliseconds. */
const COLLECT_MS = 4;
const PAUSE_MS = 15;
/** Time between two heartbeats, in milliseconds. When one does not come back until the next, the channel is dead. */
const HEARTBEAT_MS = 5_000;

/** Number of runners in one notice. Each has at most some 700 bytes. */
const RUNNERS = 8;
/** PostgreSQL refuses longer notices, in bytes. */
const MAX_BYTES = 7_999;
/** Time that a server that ends has to report it, in milliseconds. */
const END_MS = 500;

export interface RelayDeps extends Pick<RemoteLogsDeps, 'logs' | 'catchUp' | 'onError'> {
  /** The name of this server, new at each start. */
  readonly name: string;
  readonly bus: Bus;
  readonly clock: Pick<Clock, 'monotonic' | 'after' | 'now'>;
  readonly open: OpenNotices;
  readonly readTasks: (ids: readonly number[]) => Promise<BusEvents['tasks_changed']['tasks']>;
  /** The tasks whose lines pages of this server show. */
  readonly watched: () => Watched;
  /** The runners that are linked to this server. */
  readonly runners: () => readonly LinkedRunner[];
  /** What this server is and how loaded. */
  readonly about: () => ServerState;
}

/**
 * Sends the events of this server to the others, and publishes theirs. Only ids are sent; what they name is
 * read from the database. After a lost connection everything is read again, so no part depends on a notice.
 */
export class Relay {
  readonly #deps: RelayDeps;
  readonly #pending = new PendingNotices();
  readonly #peers: Peers;
  readonly #logs: RemoteLogs;
  readonly #storing = new StoringTasks();
  #channel: NoticeChannel | undefined;
  #isOpen = false;
  /** A notice that could not be sent. */
  #unsent: string | undefined;
  /** Read again after each change. */
  #watched: Watched | undefined;
  #isWatchedUnsent = true;
  /** Lists of runners that are to be sent. */
  #runners: NonNullable<Notice['runners']>[] = [];
  #openSince = 0;
  #sending: Promise<void> | undefined;
  /** Tasks are read one notice after the other, so that the newest state is published last. */
  #reading: Promise<void> = Promise.resolve();
  /** The tasks that this server has changed since the newest read began. */
  readonly #changedHere = new Set<number>();
  #cancelHeartbeat: () => void = () => undefined;
  /** When the newest heartbeat was sent, until it comes back. */
  #heartbeat: number | undefined;
  #lagMs: number | undefined;
  #wasOpen = false;
  #reopened: Date | undefined;

  constructor(deps: RelayDeps) {
    this.#deps = deps;
    this.#peers = new Peers(deps.clock);
    this.#logs = new RemoteLogs({ ...deps, isWatched: (id) => this.#isWatched(id) });
  }

  /**
   * Time that the newest heartbeat took to come back, in milliseconds, with the time in which it waited to be sent.
   * Undefined until one came back over the open channel.
   */
  get lagMs(): number | undefined {
    return this.#isOpen ? this.#lagMs : undefined;
  }

  /** The runners that are linked to other servers. */
  get runners(): readonly LinkedRunner[] {
    return this.#peers.runners;
  }

  /** The other servers of the database, by name. Undefined for one of a version that does not describe itself. */
  get servers(): ReadonlyMap<string, ServerState | undefined> {
    return this.#peers.servers;
  }

  /** When the channel was last opened again after it was lost. */
  get reopened(): Date | undefined {
    return this.#reopened;
  }

  /** Whether every other server has sent its runners: shortly after the channel was opened, some may not have. */
  get knowsRunners(): boolean {
    return this.#isOpen && this.#deps.clock.monotonic() - this.#openSince > HEARTBEAT_MS;
  }

  start(): void {
    this.#listen();
    this.#channel = this.#deps.open({
      onNotice: (text) => this.#receive(text),
      onOpen: () => this.#opened(),
      onLost: (error) => {
        this.#isOpen = false;
        this.#deps.onError(error);
      },
    });
    this.#keepAlive();
  }

  async stop(): Promise<void> {
    this.#cancelHeartbeat();
    await this.#sending;
    if (this.#isOpen) await this.#reportEnd();
    this.#isOpen = false;
    await this.#channel?.close();
    await this.#reading;
  }

  /** If it gets lost, the others forget this server a little later. */
  async #reportEnd(): Promise<void> {
    const sent = this.#channel?.send(this.#text({ ends: true })).catch(() => undefined);
    await Promise.race([sent, delay(END_MS, undefined, { ref: false })]);
  }

  #isWatched(taskId: number): boolean {
    this.#watched ??= this.#deps.watched();
    return this.#watched.all || this.#watched.tasks.includes(taskId);
  }

  /** Called when the tasks that pages of this server show have changed. */
  watchedChanged(): void {
    this.#watched = undefined;
    this.#logs.prune();
    this.#isWatchedUnsent = true;
    this.#wake();
  }

  /** Called when the runners that are linked to this server have changed. */
  runnersChanged(): void {
    const all = this.#deps.runners().map(shortened);
    const parts = Math.max(1, Math.ceil(all.length / RUNNERS));
    this.#runners = Array.from({ length: parts }, (_, n) => ({
      isFirst: n === 0,
      isLast: n === parts - 1,
      list: all.slice(n * RUNNERS, (n + 1) * RUNNERS),
    }));
    // Their number is part of what the server sends about itself.
    this.#isWatchedUnsent = true;
    this.#wake();
  }

  #listen(): void {
    const { bus } = this.#deps;
    const pending = this.#pending;
    /** Notes an event of this server, and sends it soon. */
    const forward =
      <E>(note: (event: E) => void) =>
      (event: E, origin: Origin): void => {
        if (origin === 'elsewhere') return;
        note(event);
        if (!pending.isEmpty) this.#wake();
      };
    bus.on(
      'tasks_changed',
      forward(({ tasks }) => {
        const ids = tasks.map(({ id }) => id);
        pending.tasks(ids);
        for (const id of ids) this.#changedHere.add(id);
        this.#storing.tasksChanged(tasks);
      }),
    );
    bus.on(
      'task_details_changed',
      forward(({ task }) => pending.tasks([task.id])),
    );
    bus.on(
      'relayed_query_changed',
      forward(({ id }) => pending.query(id)),
    );
    bus.on(
      'part_changed',
      forward((event) => pending.part(event)),
    );
    bus.on(
      'installation_changed',
      forward((event) => pending.installation(event)),
    );
    for (const name of SIGNALS)
      bus.on(
        name,
        forward(() => pending.signal(name)),
      );
    for (const kind of ['lines', 'results'] as const)
      bus.on(
        `${kind}_stored`,
        forward((event: BusEvents['lines_stored' | 'results_stored']) => {
          const range = this.#storing.stored(kind, event);
          if (this.#peers.isWatched(range.task)) pending.stored(kind, range);
        }),
      );
  }

  #opened(): void {
    this.#isOpen = true;
    if (this.#wasOpen) this.#reopened = this.#deps.clock.now();
    this.#wasOpen = true;
    this.#openSince = this.#deps.clock.monotonic();
    this.#isWatchedUnsent = true;
    this.#lagMs = undefined;
    // Also at the first time: pages may have been loaded before.
    this.#deps.bus.publish('events_missed', {}, 'elsewhere');
    this.#sendHeartbeat();
  }

  #keepAlive(): void {
    this.#cancelHeartbeat = this.#deps.clock.after(HEARTBEAT_MS, () => {
      if (this.#peers.sweep()) this.#deps.bus.publish('installation_changed', { part: 'runners' }, 'elsewhere');
      if (this.#isOpen && this.#heartbeat !== undefined) {
        this.#heartbeat = undefined;
        this.#channel?.reconnect();
      } else this.#sendHeartbeat();
      this.#keepAlive();
    });
  }

  #sendHeartbeat(): void {
    if (!this.#isOpen) return;
    this.#heartbeat = this.#deps.clock.monotonic();
    this.#isWatchedUnsent = true;
    this.runnersChanged();
  }

  #wake(): void {
    this.#sending ??= this.#send()
      .catch(this.#deps.onError)
      .finally(() => {
        this.#sending = undefined;
        // Noted while the last notice was sent.
        if (this.#isOpen && this.#unsent === undefined && !this.#pending.isEmpty) this.#wake();
      });
  }

  async #send(): Promise<void> {
    await delay(COLLECT_MS);
    while (this.#isOpen && this.#channel) {
      const text = this.#unsent ?? this.#next();
      if (text === undefined) return;
      this.#unsent = text;
      try {
        await this.#channel.send(text);
      } catch {
        // It is sent when the channel is open again.
        return;
      }
      this.#unsent = undefined;
      await delay(PAUSE_MS);
    }
  }

  /** The text of the next notice; undefined if there is nothing to send. */
  #next(): string | undefined {
    const runners = this.#runners.shift();
    if (runners) return this.#text({ runners });
    // Alone, because many watched tasks and many events together would be too long.
    if (this.#isWatchedUnsent) {
      this.#isWatchedUnsent = false;
      return this.#text({
        watched: this.#deps.watched(),
        about: this.#deps.about(),
        heartbeat: this.#heartbeat,
      });
    }
    return this.#pending.isEmpty ? undefined : this.#text(this.#pending.take());
  }

  #text(content: object): string {
    const text = JSON.stringify({ server: this.#deps.name, ...content });
    // A bug; without this, the same notice would fail for ever.
    if (Buffer.byteLength(text) > MAX_BYTES) throw new Error('A notice is too long.');
    return text;
  }

  #receive(text: string): void {
    const notice = readNotice(text);
    if (notice?.server === this.#deps.name) this.#returned(notice);
    else if (notice) this.#publish(notice);
  }

  #returned({ heartbeat }: Notice): void {
    if (heartbeat === undefined || heartbeat !== this.#heartbeat) return;
    this.#lagMs = this.#deps.clock.monotonic() - heartbeat;
    this.#heartbeat = undefined;
  }

  #publish(notice: Notice): void {
    const { tasks, lines, results, queries, parts, installation, signals } = notice;
    const { bus } = this.#deps;
    if (notice.ends) {
      this.#peers.ended(notice.server);
      bus.publish('installation_changed', { part: 'runners' }, 'elsewhere');
      return;
    }
    const { isNew, newTasks } = this.#peers.received(notice);
    if (isNew) {
      this.#isWatchedUnsent = true;
      this.runnersChanged();
    }
    for (const task of newTasks) {
      // Its earlier lines were not sent.
      for (const [kind, range] of this.#storing.of(task)) this.#pending.stored(kind, range);
      this.#wake();
    }
    if (tasks.length > 0) this.#readTasks(tasks);
    for (const range of lines) this.#logs.stored('lines', range);
    for (const range of results) this.#logs.stored('results', range);
    for (const id of queries) bus.publish('relayed_query_changed', { id }, 'elsewhere');
    for (const event of parts) bus.publish('part_changed', event, 'elsewhere');
    for (const part of installation) bus.publish('installation_changed', { part }, 'elsewhere');
    for (const name of signals) bus.publish(name, {}, 'elsewhere');
  }

  #readTasks(ids: readonly number[]): void {
    const { bus, readTasks, onError } = this.#deps;
    this.#reading = this.#reading.then(async () => {
      try {
        this.#changedHere.clear();
        const read = await readTasks(ids);
        // What this server changed meanwhile is newer than what was read.
        const tasks = read.filter(({ id }) => !this.#changedHere.has(id));
        bus.publish('tasks_changed', { tasks }, 'elsewhere');
        // Another server may have ended a task whose first lines this one stored.
        this.#storing.tasksChanged(tasks);
        this.#logs.tasksChanged(tasks);
      } catch (error) {
        onError(error);
        bus.publish('events_missed', {}, 'elsewhere');
      }
    });
  }
}
