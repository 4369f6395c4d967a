import type { ResultRecord, Results } from '@signalbox/contract';
import { type LongFetch, LongRun } from './long-run.ts';
import { buildRun, EMPTY_RUN, type Run } from './run-model.ts';

/** Maximum number of records in one response and in memory. Only the counts of a longer run are loaded. */
const CHUNK = 5000;

/** Minimum time between two requests for a long run in progress, in milliseconds. */
const POLL_MS = 1000;

export type FetchResults = (range: { from: number; limit: number }) => Promise<Results>;

/** The results of one task in order and without gaps, from requests and from the live connection. */
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

  /** Loads results up to the newest one. Calls during a request cause one more request after it. */
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

  /** Adds live records. If records before them are missing, they are fetched. */
  live(first: number, records: readonly ResultRecord[]): void {
    if (this.#isLong) this.#pollSoon();
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
      if (this.#isLong) this.#show(await this.#long.poll());
      else if (this.#run === EMPTY_RUN) this.#show(buildRun([]));
    } while (this.#again);
  }

  #goLong(): void {
    this.#isLong = true;
    this.#records = [];
  }

  #pollSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.load().catch(() => undefined);
    }, POLL_MS);
  }

  #add(first: number, records: readonly ResultRecord[]): void {
    const fresh = records.slice(Math.max(0, this.#records.length + 1 - first));
    if (fresh.length === 0) return;
    this.#records.push(...fresh);
    if (this.#records.length > CHUNK) {
      this.#goLong();
      this.#pollSoon();
    } else this.#show(buildRun(this.#records));
  }

  #show(run: Run): void {
    this.#run = run;
    for (const listener of [...this.#listeners]) listener();
  }
}
