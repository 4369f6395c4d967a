import type { LogStore } from '../logs/log-store.ts';
import type { Bus } from './bus.ts';
import type { StoredRange } from './notice.ts';

/** Maximum number of lines or results that are read at once. */
const PAGE = 2_000;

type Kind = 'lines' | 'results';

export interface RemoteLogsDeps {
  readonly bus: Bus;
  readonly logs: Pick<LogStore, Kind>;
  readonly isWatched: (taskId: number) => boolean;
  /** Called when later lines of a task are the first that arrive: earlier ones may have been stored before this server received notices about it. */
  readonly isBehind: (taskId: number) => void;
  readonly onError: (error: unknown) => void;
}

/** Reads lines and results that other servers stored, and publishes them as if this server had stored them. */
export class RemoteLogs {
  readonly #deps: RemoteLogsDeps;
  readonly #known = new Set<number>();
  /** The number of the next line or result of each known task. */
  readonly #next = new Map<string, number>();
  /** The newest number that is to be read, of the tasks that are read now. */
  readonly #reading = new Map<string, number>();

  constructor(deps: RemoteLogsDeps) {
    this.#deps = deps;
  }

  /** Reads up to the end of a range, from where it stopped before. */
  stored(kind: Kind, range: StoredRange): void {
    if (!this.#deps.isWatched(range.task)) return;
    const key = `${kind} ${range.task}`;
    const isRead = this.#reading.has(key);
    this.#reading.set(key, Math.max(range.last, this.#reading.get(key) ?? 0));
    if (isRead) return;
    this.#read(kind, key, range)
      .catch((error: unknown) => {
        this.#deps.onError(error);
        // The next notice starts a new range, and the pages read what is missing.
        this.#forget(range.task);
      })
      .finally(() => this.#reading.delete(key));
  }

  /** Forgets tasks that no page of this server follows any more. */
  prune(): void {
    for (const key of this.#next.keys()) if (!this.#deps.isWatched(Number(key.split(' ')[1]))) this.#next.delete(key);
  }

  #forget(task: number): void {
    this.#known.delete(task);
    for (const kind of ['lines', 'results']) this.#next.delete(`${kind} ${task}`);
  }

  async #read(kind: Kind, key: string, { project, task, first }: StoredRange): Promise<void> {
    const { bus, logs, isBehind } = this.#deps;
    if (!this.#known.has(task) && first > 1) isBehind(task);
    this.#known.add(task);
    let from = this.#next.get(key) ?? first;
    while (from <= (this.#reading.get(key) ?? 0)) {
      const stored = { projectId: project, taskId: task, first: from };
      let count: number;
      if (kind === 'lines') {
        const lines = await logs.lines(task, from, PAGE);
        count = lines.length;
        if (count > 0) bus.publish('lines_stored', { ...stored, lines }, 'elsewhere');
      } else {
        const records = await logs.results(task, from, PAGE);
        count = records.length;
        if (count > 0) bus.publish('results_stored', { ...stored, records }, 'elsewhere');
      }
      // Deleted meanwhile.
      if (count === 0) break;
      from += count;
      this.#next.set(key, from);
    }
    this.#next.set(key, from);
  }
}
