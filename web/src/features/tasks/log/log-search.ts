import type { LogMatches } from '@signalbox/contract';

/** Asks which lines hold a text, from a line on. */
export type FindLines = (text: string, from: number, signal: AbortSignal) => Promise<LogMatches>;

/** What a view draws. A new object whenever something changed. */
export interface SearchState {
  readonly text: string;
  /** Numbers of the lines that hold it, in order; the same list grows while the search goes on. */
  readonly lines: readonly number[];
  readonly count: number;
  /** Lines searched so far, of so many. */
  readonly searched: number;
  readonly total: number;
  readonly isBusy: boolean;
  readonly error: unknown;
}

const NOTHING: SearchState = {
  text: '',
  lines: [],
  count: 0,
  searched: 0,
  total: 0,
  isBusy: false,
  error: undefined,
};

/** Looks for a text in the whole log of a task, part by part; what comes later is searched as it comes. */
export class LogSearch {
  readonly #find: FindLines;
  readonly #listeners = new Set<() => void>();
  #lines: number[] = [];
  #running = new AbortController();
  #state = NOTHING;

  constructor(find: FindLines) {
    this.#find = find;
  }

  get state(): SearchState {
    return this.#state;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Looks for another text from the beginning; an empty one ends the search. */
  look(text: string): void {
    if (text === this.#state.text && this.#state.error === undefined) return;
    this.#running.abort();
    this.#lines = [];
    this.#state = NOTHING;
    if (text === '') this.#set({});
    else void this.#run(text);
  }

  /** Tells that the log has so many lines by now. */
  grown(total: number): void {
    const { text, searched, isBusy, error } = this.#state;
    if (text !== '' && total > searched && !isBusy && error === undefined) void this.#run(text);
  }

  async #run(text: string): Promise<void> {
    const running = new AbortController();
    this.#running = running;
    this.#set({ text, lines: this.#lines, isBusy: true, error: undefined });
    try {
      let more = true;
      while (more) {
        const { lines, next, total } = await this.#find(text, this.#state.searched + 1, running.signal);
        if (running.signal.aborted) return;
        for (const line of lines) this.#lines.push(line);
        // A part that brought nothing on would be asked for for ever.
        more = next <= total && next > this.#state.searched + 1;
        this.#set({ count: this.#lines.length, searched: next - 1, total, isBusy: more });
      }
    } catch (error) {
      if (!running.signal.aborted) this.#set({ isBusy: false, error });
    }
  }

  #set(change: Partial<SearchState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of [...this.#listeners]) listener();
  }
}

/** Index of the first of sorted lines that is not before a line. */
export const indexFrom = (lines: readonly number[], line: number): number => {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle] ?? 0) < line) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** The next line found after a line, or the one before it; beyond the last comes the first. */
export const stepFrom = (lines: readonly number[], line: number, step: 1 | -1): number | undefined => {
  if (lines.length === 0) return undefined;
  const at = step === 1 ? indexFrom(lines, line + 1) : indexFrom(lines, line) - 1;
  return lines[(at + lines.length) % lines.length];
};
