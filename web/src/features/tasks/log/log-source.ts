import type { LogLines } from '@signalbox/contract';
import { BLOCK_LINES, firstOf, LineCache, type LogLine } from './line-cache.ts';

/** Asks for lines: `from` a number, or without it the end of the log. */
export type FetchLines = (range: { from?: number; limit: number }) => Promise<LogLines>;

/** Lines that the log opens with: more than any window shows. */
const OPENING_LINES = 400;
/** How long a failed call rests before the same lines are asked for again, in milliseconds. */
export const RETRY_DELAY = 2000;

/** Runs something after the rest between two drawings of live lines. */
export type Later = (run: () => void) => void;

export interface LogSourceOptions {
  readonly cache?: LineCache;
  readonly now?: () => number;
  /** Without it every message of the live connection is told at once. */
  readonly later?: Later;
}

/** What a view draws. A new object whenever something changed. */
export interface LogState {
  /** Lines that exist, as far as is known. */
  readonly total: number;
  /** No line will follow. */
  readonly sealed: boolean;
  /** Number of lines of an ended task that are no longer stored. */
  readonly missing: number;
  readonly phase: 'loading' | 'ready' | 'failed';
  readonly error: unknown;
  /** Counts changes of the lines themselves. */
  readonly version: number;
}

/**
 * The lines of one task's log, wherever they come from: the end at once, ranges when they are looked at, and live
 * lines by number. A line that is missing in between is fetched when somebody looks at it.
 */
export class LogSource {
  readonly #fetch: FetchLines;
  readonly #cache: LineCache;
  readonly #now: () => number;
  readonly #listeners = new Set<() => void>();
  readonly #asked = new Map<number, number>();
  readonly #later: Later | undefined;
  #isResting = false;
  #isNews = false;
  #state: LogState = { total: 0, sealed: false, missing: 0, phase: 'loading', error: undefined, version: 0 };

  constructor(fetch: FetchLines, { cache = new LineCache(), now = Date.now, later }: LogSourceOptions = {}) {
    this.#fetch = fetch;
    this.#cache = cache;
    this.#now = now;
    this.#later = later;
  }

  get state(): LogState {
    return this.#state;
  }

  line(number: number): LogLine | undefined {
    return this.#cache.get(number);
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Loads the end of the log, or looks for what came since: at the start, after a lost connection, at the seal. */
  async openEnd(): Promise<void> {
    try {
      this.#take(await this.#fetch({ limit: OPENING_LINES }));
    } catch (error) {
      if (this.#state.phase !== 'ready') this.#set({ phase: 'failed', error });
    }
  }

  /** Tells which lines are looked at; those that are missing are fetched, each block once at a time. */
  want(from: number, to: number): void {
    if (this.#state.phase !== 'ready') return;
    const last = Math.min(to, this.#state.total);
    if (last < from) return;
    for (const block of this.#cache.missing(Math.max(1, from), last)) void this.#load(block);
  }

  /** Lines that the live connection brought. What lies before them and is missing shows as a gap until wanted. */
  live(first: number, lines: readonly LogLine[]): void {
    if (lines.length === 0) return;
    this.#cache.put(first, lines);
    const total = Math.max(this.#state.total, first + lines.length - 1);
    this.#state = { ...this.#state, total, version: this.#state.version + 1 };
    this.#tellLive();
  }

  /** The connection was too slow for the lines: so many are stored now. */
  behind(total: number): void {
    if (total > this.#state.total) this.#set({ total });
  }

  async #load(block: number): Promise<void> {
    if (this.#now() < (this.#asked.get(block) ?? 0)) return;
    this.#asked.set(block, Number.POSITIVE_INFINITY);
    try {
      const end = firstOf(block) + BLOCK_LINES;
      for (let from = firstOf(block); from < end; ) {
        const part = await this.#fetch({ from, limit: end - from });
        this.#take(part);
        from = part.first + part.lines.length;
        // Long lines come in several parts; what is not stored yet comes when somebody looks again.
        if (part.lines.length === 0 || from > part.total) break;
      }
      this.#asked.delete(block);
    } catch {
      this.#asked.set(block, this.#now() + RETRY_DELAY);
    }
  }

  #take({ first, total, sealed, missing, lines }: LogLines): void {
    this.#cache.put(first, lines);
    this.#set({
      // A slow answer may be older than what the live connection said meanwhile.
      total: Math.max(this.#state.total, total),
      sealed: this.#state.sealed || sealed,
      missing,
      phase: 'ready',
      error: undefined,
      version: this.#state.version + 1,
    });
  }

  /** The first lines are told at once; of those that follow too quickly to be read, only the newest state. */
  #tellLive(): void {
    if (this.#isResting) {
      this.#isNews = true;
      return;
    }
    this.#tell();
    if (!this.#later) return;
    this.#isResting = true;
    this.#later(() => {
      this.#isResting = false;
      if (this.#isNews) this.#tellLive();
    });
  }

  #set(change: Partial<LogState>): void {
    this.#state = { ...this.#state, ...change };
    this.#tell();
  }

  #tell(): void {
    this.#isNews = false;
    for (const listener of [...this.#listeners]) listener();
  }
}
