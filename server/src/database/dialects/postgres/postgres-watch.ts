/** How long a statement may wait before the database is probed, in milliseconds. */
const PATIENCE_MS = 250;
/** How long the probe may take, in milliseconds. Both together are shorter than a caller may wait. */
const ANSWER_MS = 900;
const POLL_MS = 100;
/** A poll that is this late shows that this process was busy, not that the database is slow. */
const SILENT_MS = 300;

/** The driver's error for an unreachable database, so that callers handle both alike. */
export class DatabaseSilent extends Error {
  override readonly name = 'DatabaseSilent';
  readonly code = 'ETIMEDOUT';

  constructor() {
    super('The database does not answer.');
  }
}

interface Wait {
  readonly since: number;
  readonly giveUp: () => void;
}

/**
 * Detects a database that is frozen or unreachable: it neither refuses nor answers. A slow statement is no sign of
 * that, so a small query is sent on another connection. If that gets no answer either, everything that waits is
 * rejected at once, and no statement is sent until a probe is answered.
 */
export class PostgresWatch {
  readonly #query: (ms: number) => Promise<void>;
  readonly #waits = new Set<Wait>();
  #timer: NodeJS.Timeout | undefined;
  #lastPoll = 0;
  #provenAt = 0;
  #querying = false;
  #isSilent = false;

  /** @param query sends a small query; rejects after the given time without an answer, in milliseconds */
  constructor(ask: (ms: number) => Promise<void>) {
    this.#query = ask;
  }

  /**
   * Waits for `work`, but only until the database is known to be silent. Then `giveUp` is called to release
   * resources.
   * @param isAnswer false for work that may succeed without an answer of the database
   */
  async during<T>(work: () => Promise<T>, giveUp: () => void, isAnswer = true): Promise<T> {
    if (this.#isSilent) {
      // The connection may be in the middle of a transaction. It must not be reused, and its locks must be released.
      giveUp();
      throw new DatabaseSilent();
    }
    const { promise: silence, reject } = Promise.withResolvers<never>();
    const wait = {
      since: performance.now(),
      giveUp: () => {
        giveUp();
        reject(new DatabaseSilent());
      },
    };
    this.#waits.add(wait);
    this.#begin();
    try {
      const answer = await Promise.race([work(), silence]);
      if (isAnswer) this.#provenAt = performance.now();
      return answer;
    } finally {
      this.#waits.delete(wait);
    }
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #begin(): void {
    if (this.#timer) return;
    this.#lastPoll = performance.now();
    this.#timer = setInterval(() => this.#poll(), POLL_MS).unref();
  }

  #poll(): void {
    const now = performance.now();
    if (now - this.#lastPoll > POLL_MS + SILENT_MS) this.#provenAt = now;
    this.#lastPoll = now;
    if (this.#waits.size === 0 && !this.#isSilent) {
      this.close();
      return;
    }
    const oldest = Math.max(this.#provenAt, Math.min(...[...this.#waits].map(({ since }) => since)));
    if (this.#querying || (!this.#isSilent && now - oldest < PATIENCE_MS)) return;
    this.#querying = true;
    void this.#query(ANSWER_MS).then(
      () => this.#answered(),
      () => this.#unanswered(now),
    );
  }

  #answered(): void {
    this.#querying = false;
    this.#isSilent = false;
    this.#provenAt = performance.now();
  }

  #unanswered(queriedAt: number): void {
    this.#querying = false;
    // Other statements were answered meanwhile, or this process was too busy to read the answer.
    if (this.#provenAt > queriedAt) return;
    this.#isSilent = true;
    for (const { giveUp } of this.#waits) giveUp();
  }
}
