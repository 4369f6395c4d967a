import type { LogLines } from '@signalbox/contract';
import { BLOCK_LINES, firstOf, LineCache, type LogLine } from './line-cache.ts';

/** Requests lines: from number `from`, or the end of the log without it. */
export type FetchLines = (range: { from?: number; limit: number }) => Promise<LogLines>;

/** Number of lines that are loaded first: more than fit into any window. */
const OPENING_LINES = 400;
/** Time before lines are requested again after a failure, in milliseconds. */
export const RETRY_DELAY = 2000;

/** Runs a function after the minimum time between two redraws of live lines. */
export type Later = (run: () => void) => void;

export interface LogSourceOptions {
  readonly cache?: LineCache;
  readonly now?: () => number;
  /** Without it every live message notifies the listeners immediately. */
  readonly later?: Later;
}

/** State of the log. Every change creates a new object. */
export interface LogState {
  /** Number of lines, as far as is known. */
  readonly total: number;
  /** Whether the log is complete: no line will follow. */
  readonly complete: boolean;
  /** Number of lines of an ended task that are no longer stored. */
  readonly missing: number;
  readonly phase: 'loading' | 'ready' | 'failed';
  readonly error: unknown;
  /** Number of changes of the lines themselves. */
  readonly version: number;
}

/**
 * The lines of one task's log: the end is loaded first, other ranges when they become visible, and live lines as they
 * arrive. Missing lines in between are fetched when they become visible.
 */
export class LogSource {
  readonly #fetch: FetchLines;
  readonly #cache: LineCache;
  readonly #now: () => number;
  readonly #listeners = new Set<() => void>();
  readonly #retryAt = new Map<number, number>();
  readonly #later: Later | undefined;
  #isResting = false;
  #hasChanged = false;
  #state: LogState = { total: 0, complete: false, missing: 0, phase: 'loading', error: undefined, version: 0 };

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

  /** Loads the end of the log: at the start, after a lost connection, and when the task has ended. */
  async openEnd(): Promise<void> {
    try {
      this.#take(await this.#fetch({ limit: OPENING_LINES }));
    } catch (error) {
      if (this.#state.phase !== 'ready') this.#set({ phase: 'failed', error });
    }
  }

  /** Requests the visible lines. Missing ones are fetched, each block once at a time. */
  request(from: number, to: number): void {
    if (this.#state.phase !== 'ready') return;
    const last = Math.min(to, this.#state.total);
    if (last < from) return;
    for (const block of this.#cache.missing(Math.max(1, from), last)) void this.#load(block);
  }

  /** Fetches the texts of lines, without keeping them. */
  async texts(from: number, to: number): Promise<string[]> {
    const texts: string[] = [];
    while (from + texts.length <= to) {
      const next = from + texts.length;
      const { lines } = await this.#fetch({ from: next, limit: Math.min(BLOCK_LINES, to + 1 - next) });
      if (lines.length === 0) break;
      for (const [, text] of lines) texts.push(text);
    }
    return texts;
  }

  /** Adds live lines. Missing lines before them are a gap until they become visible. */
  live(first: number, lines: readonly LogLine[]): void {
    if (lines.length === 0) return;
    this.#cache.put(first, lines);
    const total = Math.max(this.#state.total, first + lines.length - 1);
    this.#state = { ...this.#state, total, version: this.#state.version + 1 };
    this.#notifyLive();
  }

  /** Sets the number of stored lines when the connection was too slow for the lines themselves. */
  behind(total: number): void {
    if (total > this.#state.total) this.#set({ total });
  }

  async #load(block: number): Promise<void> {
    if (this.#now() < (this.#retryAt.get(block) ?? 0)) return;
    this.#retryAt.set(block, Number.POSITIVE_INFINITY);
    try {
      const end = firstOf(block) + BLOCK_LINES;
      for (let from = firstOf(block); from < end; ) {
        const part = await this.#fetch({ from, limit: end - from });
        this.#take(part);
        from = part.first + part.lines.length;
        // Long lines arrive in several parts. Lines that are not stored are requested again when they become visible.
        if (part.lines.length === 0 || from > part.total) break;
      }
      this.#retryAt.delete(block);
    } catch {
      this.#retryAt.set(block, this.#now() + RETRY_DELAY);
    }
  }

  #take({ first, total, sealed: complete, missing, lines }: LogLines): void {
    this.#cache.put(first, lines);
    this.#set({
      // A slow response may be older than the live messages.
      total: Math.max(this.#state.total, total),
      complete: this.#state.complete || complete,
      missing,
      phase: 'ready',
      error: undefined,
      version: this.#state.version + 1,
    });
  }

  /**
   * Notifies listeners of the first lines immediately. If lines arrive too fast, listeners are only notified of the
   * newest state.
   */
  #notifyLive(): void {
    if (this.#isResting) {
      this.#hasChanged = true;
      return;
    }
    this.#notify();
    if (!this.#later) return;
    this.#isResting = true;
    this.#later(() => {
      this.#isResting = false;
      if (this.#hasChanged) this.#notifyLive();
    });
  }

  #set(change: Partial<LogState>): void {
    this.#state = { ...this.#state, ...change };
    this.#notify();
  }

  #notify(): void {
    this.#hasChanged = false;
    for (const listener of [...this.#listeners]) listener();
  }
}
