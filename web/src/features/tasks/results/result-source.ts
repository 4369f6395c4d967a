import type { ResultRecord, Results } from '@signalbox/contract';
import { buildRun, EMPTY_RUN, type Run } from './run-model.ts';

/** Most records that one call answers. */
const CHUNK = 5000;

export type FetchResults = (range: { from: number; limit: number }) => Promise<Results>;

/** Results of one task by number, from calls and from the live connection, always without a gap from the first on. */
export class ResultSource {
  readonly #fetch: FetchResults;
  readonly #listeners = new Set<() => void>();
  readonly #records: ResultRecord[] = [];
  #loading: Promise<void> | undefined;
  #again = false;
  #run: Run = EMPTY_RUN;

  constructor(fetch: FetchResults) {
    this.#fetch = fetch;
  }

  get run(): Run {
    return this.#run;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Loads what is missing up to the newest result. Calls while one is under way are answered by one more look. */
  load(): Promise<void> {
    if (this.#loading) {
      this.#again = true;
      return this.#loading;
    }
    this.#loading = this.#loadAll().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  /** Records that the live connection brought; after a gap the missing ones are fetched. */
  live(first: number, records: readonly ResultRecord[]): void {
    if (first > this.#records.length + 1) void this.load().catch(() => undefined);
    else this.#add(first, records);
  }

  async #loadAll(): Promise<void> {
    do {
      this.#again = false;
      for (;;) {
        const from = this.#records.length + 1;
        const { first, total, records } = await this.#fetch({ from, limit: CHUNK });
        this.#add(first, records);
        if (records.length === 0 || this.#records.length >= total) break;
      }
    } while (this.#again);
  }

  #add(first: number, records: readonly ResultRecord[]): void {
    const fresh = records.slice(Math.max(0, this.#records.length + 1 - first));
    if (fresh.length === 0) return;
    this.#records.push(...fresh);
    this.#run = buildRun(this.#records);
    for (const listener of [...this.#listeners]) listener();
  }
}
