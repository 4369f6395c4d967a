import type { Database } from '../database/database.ts';
import { sweepLogs } from './log-removal.ts';
import type { LogStore } from './log-store.ts';

interface Needs {
  readonly database: Database;
  readonly logs: LogStore;
  readonly onError: (error: unknown) => void;
}

/** Removes logs that were asked to be removed: soon after each `wake`, one sweep at a time. */
export class LogRemover {
  readonly #needs: Needs;
  readonly #stopping = new AbortController();
  #sweep: Promise<void> | undefined;
  #again = false;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** To be called after the commit of what asked for a removal, and at the start for what a crash left behind. */
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
