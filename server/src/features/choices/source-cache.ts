import type { Clock } from '../../clock.ts';

/** How long an answer of a source is used again, in milliseconds. */
const FRESH_MS = 60_000;

const MAX_ENTRIES = 200;

interface Entry {
  readonly answer: Promise<unknown>;
  /** When the answer expires on the monotonic clock; undefined while the source is asked. */
  expires: number | undefined;
}

/** The newest answers of sources. A source has at most one open request; failures are not kept. */
export class SourceCache {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #entries = new Map<string, Entry>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /**
   * Returns the fresh answer of a source, or asks the source.
   * @throws whatever `ask` throws
   */
  async read<T>(source: readonly (string | number | null)[], ask: () => Promise<T>): Promise<T> {
    const key = JSON.stringify(source);
    const known = this.#entries.get(key);
    const isFresh = known && (known.expires === undefined || known.expires > this.#clock.monotonic());
    if (isFresh) return (await known.answer) as T;
    const entry: Entry = { answer: ask(), expires: undefined };
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    try {
      const answer = (await entry.answer) as T;
      entry.expires = this.#clock.monotonic() + FRESH_MS;
      return answer;
    } catch (error) {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
      throw error;
    } finally {
      this.#removeOldest();
    }
  }

  #removeOldest(): void {
    for (const [key, { expires }] of this.#entries) {
      if (this.#entries.size <= MAX_ENTRIES) return;
      if (expires !== undefined) this.#entries.delete(key);
    }
  }
}
