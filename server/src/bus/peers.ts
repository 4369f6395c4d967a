import type { ServerState } from '@signalbox/contract';
import type { Clock } from '../clock.ts';
import type { LinkedRunner } from './linked-runner.ts';
import type { Notice, Watched } from './notice.ts';

/** A server that has sent nothing for this many milliseconds has ended. */
const SILENT_MS = 20_000;

/** More servers than this do not share a database: notices of others are not from servers. */
const MAX_PEERS = 64;

type NoticeOfPeer = Pick<Notice, 'server' | 'watched' | 'runners' | 'about'>;

interface Peer {
  readonly seen: number;
  readonly watched: Watched;
  readonly runners: readonly LinkedRunner[];
  /** Undefined for a server of a version that does not describe itself. */
  readonly about: ServerState | undefined;
  /** The part of a new list of runners that has arrived. */
  readonly arrived: readonly LinkedRunner[];
}

const NOTHING: Watched = { all: false, tasks: [] };

/** The other servers of the database, and the tasks whose lines they want. */
export class Peers {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #peers = new Map<string, Peer>();
  #tasks: ReadonlySet<number> = new Set();
  #hasAll = false;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** The runners that are linked to other servers. */
  get runners(): readonly LinkedRunner[] {
    const newestLast = [...this.#peers.values()].toSorted((a, b) => a.seen - b.seen);
    // A runner that has moved is listed by its former server too, if that one was killed.
    return [...new Map(newestLast.flatMap(({ runners }) => runners).map((runner) => [runner.id, runner])).values()];
  }

  /** The other servers, by the name that each chose at its start. */
  get servers(): ReadonlyMap<string, ServerState | undefined> {
    return new Map([...this.#peers].map(([server, { about }]) => [server, about]));
  }

  /**
   * Called for each notice of another server.
   * @returns whether the server is new, and the tasks that it did not watch before
   */
  received({ server, watched, runners, about }: NoticeOfPeer) {
    const known = this.#peers.get(server);
    if (!known && this.#peers.size >= MAX_PEERS) return { isNew: false, newTasks: [] };
    const arrived = [...(runners?.isFirst ? [] : (known?.arrived ?? [])), ...(runners?.list ?? [])];
    this.#peers.set(server, {
      seen: this.#clock.monotonic(),
      watched: watched ?? known?.watched ?? NOTHING,
      runners: runners?.isLast ? arrived : (known?.runners ?? []),
      about: about ?? known?.about,
      arrived,
    });
    if (watched) this.#mergeWatched();
    const before = new Set(known?.watched.tasks);
    return { isNew: known === undefined, newTasks: watched?.tasks.filter((id) => !before.has(id)) ?? [] };
  }

  /** Whether another server wants the lines of a task. */
  isWatched(taskId: number): boolean {
    return this.#hasAll || this.#tasks.has(taskId);
  }

  /** Forgets a server that has reported its end. */
  ended(server: string): void {
    if (this.#peers.delete(server)) this.#mergeWatched();
  }

  /** Forgets the servers that have ended. Returns whether there were any. */
  sweep(): boolean {
    const before = this.#peers.size;
    const now = this.#clock.monotonic();
    for (const [server, { seen }] of this.#peers) if (now - seen > SILENT_MS) this.#peers.delete(server);
    this.#mergeWatched();
    return this.#peers.size < before;
  }

  #mergeWatched(): void {
    const all = [...this.#peers.values()].map(({ watched }) => watched);
    this.#tasks = new Set(all.flatMap(({ tasks }) => tasks));
    this.#hasAll = all.some((watched) => watched.all);
  }
}
