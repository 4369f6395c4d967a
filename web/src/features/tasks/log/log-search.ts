import type { LogMatches } from '@signalbox/contract';

/** Requests the lines that contain a text, starting at a line. */
export type FindLines = (text: string, from: number, signal: AbortSignal) => Promise<LogMatches>;

/** State of the search. Every change creates a new object. */
export interface SearchState {
  readonly text: string;
  /** Numbers of the matching lines, in order. The list grows during the search. */
  readonly lines: readonly number[];
  readonly count: number;
  /** Lines searched so far, and the total. */
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

/** Searches the whole log of a task in parts, and new lines as they are added. */
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

  /** Searches for another text from the beginning. An empty text ends the search. */
  search(text: string): void {
    if (text === this.#state.text && this.#state.error === undefined) return;
    this.#running.abort();
    this.#lines = [];
    this.#state = NOTHING;
    if (text === '') this.#set({});
    else void this.#run(text);
  }

  /** Sets the number of lines that the log has now. */
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
        // Stops when a part makes no progress, which would otherwise be requested forever.
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

/** Index of the first sorted line that is not before a line. */
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

/** The next match after a line, or the previous one. Continues with the first match after the last. */
export const stepFrom = (lines: readonly number[], line: number, step: 1 | -1): number | undefined => {
  if (lines.length === 0) return undefined;
  const at = step === 1 ? indexFrom(lines, line + 1) : indexFrom(lines, line) - 1;
  return lines[(at + lines.length) % lines.length];
};
