/** How long something may wait before the database is asked whether it lives, in milliseconds. */
const PATIENCE_MS = 250;
/** How long it may take to answer that, in milliseconds. Both together are less than a caller may be kept waiting. */
const ANSWER_MS = 900;
const LOOK_MS = 100;
/** A look that comes so late says that this process was busy, not that the database is slow. */
const LATE_MS = 300;

/** What the driver calls a database that it cannot reach, so that callers are told so. */
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
 * Notices a database that is frozen or behind a cut cable: it refuses nothing and answers nothing. A statement that takes
 * long is no sign of it, so the database is asked something small beside it; only when that gets no answer either, all
 * that waits is given up at once, and nothing more is sent until an answer comes.
 */
export class PostgresWatch {
  readonly #ask: (ms: number) => Promise<void>;
  readonly #waits = new Set<Wait>();
  #timer: NodeJS.Timeout | undefined;
  #lastLook = 0;
  #provenAt = 0;
  #asking = false;
  #isSilent = false;

  /** @param ask asks the database something small; rejects after so many milliseconds without an answer */
  constructor(ask: (ms: number) => Promise<void>) {
    this.#ask = ask;
  }

  /**
   * Waits for the database, at most until it is known to be silent. `giveUp` is called then, to free what was held.
   * @param isAnswer false for work that may succeed without a word of the database
   */
  async during<T>(work: () => Promise<T>, giveUp: () => void, isAnswer = true): Promise<T> {
    if (this.#isSilent) {
      // It may be in the middle of a transaction: nobody else may go on with it, and its locks must go.
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
    this.#lastLook = performance.now();
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref();
  }

  #look(): void {
    const now = performance.now();
    if (now - this.#lastLook > LOOK_MS + LATE_MS) this.#provenAt = now;
    this.#lastLook = now;
    if (this.#waits.size === 0 && !this.#isSilent) {
      this.close();
      return;
    }
    const oldest = Math.max(this.#provenAt, Math.min(...[...this.#waits].map(({ since }) => since)));
    if (this.#asking || (!this.#isSilent && now - oldest < PATIENCE_MS)) return;
    this.#asking = true;
    void this.#ask(ANSWER_MS).then(
      () => this.#answered(),
      () => this.#unanswered(now),
    );
  }

  #answered(): void {
    this.#asking = false;
    this.#isSilent = false;
    this.#provenAt = performance.now();
  }

  #unanswered(asked: number): void {
    this.#asking = false;
    // Others got answers meanwhile, or we were too busy to read ours: it lives.
    if (this.#provenAt > asked) return;
    this.#isSilent = true;
    for (const { giveUp } of this.#waits) giveUp();
  }
}
