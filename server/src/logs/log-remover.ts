import type { Database } from '../database/database.ts';
import { sweepLogs } from './log-removal.ts';
import type { LogStore } from './log-store.ts';

interface Needs {
  readonly database: Database;
  readonly logs: LogStore;
  readonly onError: (error: unknown) => void;
}

/** Whoever asks need not know who removes: it is looked for so often, in milliseconds. */
const LOOK_MS = 60_000;

/** Removes logs that were asked to be removed: within a minute, and soon after each `wake`; one sweep at a time. */
export class LogRemover {
  readonly #needs: Needs;
  readonly #stopping = new AbortController();
  #sweep: Promise<void> | undefined;
  #again = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** Removes at once what a crash left behind, and then what is asked for. */
  start(): void {
    this.#timer = setInterval(() => this.wake(), LOOK_MS);
    this.wake();
  }

  wake(): void {
    if (this.#stopping.signal.aborted) return;
    this.#again = true;
    this.#sweep ??= this.#run();
  }

  /** Resolves when nothing that was asked for before is left, or when the store failed: then the next wake tries again. */
  async idle(): Promise<void> {
    await this.#sweep;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopping.abort();
    await this.#sweep;
  }

  async #run(): Promise<void> {
    try {
      while (this.#again) {
        this.#again = false;
        await sweepLogs(this.#needs.database, this.#needs.logs, this.#stopping.signal);
      }
    } catch (error) {
      this.#needs.onError(error);
    } finally {
      this.#sweep = undefined;
    }
  }
}
