import type { ResultRecord, Results } from '@signalbox/contract';
import { type LongFetch, LongRun } from './long-run.ts';
import { buildRun, EMPTY_RUN, type Run } from './run-model.ts';

/** Most records that one call answers, and that are held: of a longer run only the counts are. */
const CHUNK = 5000;

/** Least time between two looks at a long run that goes on, in milliseconds. */
const LOOK_MS = 1000;

export type FetchResults = (range: { from: number; limit: number }) => Promise<Results>;

/** Results of one task by number, from calls and from the live connection, always without a gap from the first on. */
export class ResultSource {
  readonly #fetch: FetchResults;
  readonly #long: LongRun;
  readonly #listeners = new Set<() => void>();
  #records: ResultRecord[] = [];
  #isLong = false;
  #loading: Promise<void> | undefined;
  #again = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #run: Run = EMPTY_RUN;

  constructor(fetch: FetchResults, long: LongFetch) {
    this.#fetch = fetch;
    this.#long = new LongRun(long);
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
    if (this.#isLong) this.#lookSoon();
    else if (first > this.#records.length + 1) void this.load().catch(() => undefined);
    else this.#add(first, records);
  }

  async #loadAll(): Promise<void> {
    do {
      this.#again = false;
      while (!this.#isLong) {
        const from = this.#records.length + 1;
        const { first, total, records } = await this.#fetch({ from, limit: CHUNK });
        if (total > CHUNK) this.#goLong();
        else this.#add(first, records);
        if (records.length === 0 || this.#records.length >= total) break;
      }
      if (this.#isLong) this.#show(await this.#long.look());
      else if (this.#run === EMPTY_RUN) this.#show(buildRun([]));
    } while (this.#again);
  }

  #goLong(): void {
    this.#isLong = true;
    this.#records = [];
  }

  #lookSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.load().catch(() => undefined);
    }, LOOK_MS);
  }

  #add(first: number, records: readonly ResultRecord[]): void {
    const fresh = records.slice(Math.max(0, this.#records.length + 1 - first));
    if (fresh.length === 0) return;
    this.#records.push(...fresh);
    if (this.#records.length > CHUNK) {
      this.#goLong();
      this.#lookSoon();
    } else this.#show(buildRun(this.#records));
  }

  #show(run: Run): void {
    this.#run = run;
    for (const listener of [...this.#listeners]) listener();
  }
}
