import { isFinal } from '@signalbox/contract';
import type { LogStore } from '../logs/log-store.ts';
import type { Bus, BusEvents, Stored } from './bus.ts';
import type { StoredRange } from './notice.ts';

/** Maximum number of lines or results that are read at once. */
const PAGE = 2_000;

type Kind = 'lines' | 'results';

export interface RemoteLogsDeps {
  readonly bus: Bus;
  readonly logs: Pick<LogStore, Kind>;
  readonly isWatched: (taskId: number) => boolean;
  /** Called when the first range that arrives does not begin at 1, so earlier lines or results must be loaded. */
  readonly catchUp: (taskId: number) => void;
  readonly onError: (error: unknown) => void;
}

/** How far a task that pages of this server follow was read. */
interface Progress {
  /** The numbers of its next line and result. Undefined for what was not read yet. */
  readonly next: Partial<Record<Kind, number>>;
  /** Whether its pages load what was stored before. */
  isBehind: boolean;
}

/** Reads lines and results that other servers stored, and publishes them as if this server had stored them. */
export class RemoteLogs {
  readonly #deps: RemoteLogsDeps;
  readonly #tasks = new Map<number, Progress>();
  /** The newest number that is to be read, of what is read now. */
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
        this.#tasks.delete(range.task);
      })
      .finally(() => this.#reading.delete(key));
  }

  /** Forgets tasks that no page of this server follows any more. */
  prune(): void {
    for (const task of this.#tasks.keys()) if (!this.#deps.isWatched(task)) this.#tasks.delete(task);
  }

  /** Forgets tasks that have ended: their logs are complete. */
  tasksChanged(tasks: BusEvents['tasks_changed']['tasks']): void {
    for (const { id, status } of tasks) if (isFinal(status)) this.#tasks.delete(id);
  }

  async #read(kind: Kind, key: string, { project, task, first }: StoredRange): Promise<void> {
    const progress = this.#tasks.get(task) ?? { next: {}, isBehind: false };
    this.#tasks.set(task, progress);
    if (progress.next[kind] === undefined && first > 1 && !progress.isBehind) {
      progress.isBehind = true;
      this.#deps.catchUp(task);
    }
    let from = progress.next[kind] ?? first;
    progress.next[kind] = from;
    while (from <= (this.#reading.get(key) ?? 0) && this.#deps.isWatched(task)) {
      const count = await this.#publish(kind, { projectId: project, taskId: task, first: from });
      // Deleted meanwhile.
      if (count === 0) break;
      from += count;
      progress.next[kind] = from;
    }
  }

  /** Publishes a page of lines or results. Returns how many there are. */
  async #publish(kind: Kind, stored: Stored): Promise<number> {
    const { bus, logs } = this.#deps;
    const { taskId, first } = stored;
    if (kind === 'lines') {
      const lines = await logs.lines(taskId, first, PAGE);
      if (lines.length > 0) bus.publish('lines_stored', { ...stored, lines }, 'elsewhere');
      return lines.length;
    }
    const records = await logs.results(taskId, first, PAGE);
    if (records.length > 0) bus.publish('results_stored', { ...stored, records }, 'elsewhere');
    return records.length;
  }
}
