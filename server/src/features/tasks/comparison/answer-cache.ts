/** Number of answers that are kept. */
const MAX_KEPT = 100;

/** The answers of runners to queries whose answers never change. Failures are not kept. */
export class AnswerCache<T> {
  readonly #kept = new Map<string, Promise<T>>();
  readonly #mayChange: (answer: T) => boolean;

  /** @param mayChange whether an answer is not final, so that the next query asks again */
  constructor(mayChange: (answer: T) => boolean = () => false) {
    this.#mayChange = mayChange;
  }

  /**
   * Returns the kept answer, or asks. The same query is open once at a time.
   * @throws whatever `ask` throws
   */
  async read(query: readonly (string | number)[], ask: () => Promise<T>): Promise<T> {
    const key = JSON.stringify(query);
    const answer = this.#kept.get(key) ?? ask();
    this.#kept.delete(key);
    this.#kept.set(key, answer);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    let isFinal = false;
    try {
      const found = await answer;
      isFinal = !this.#mayChange(found);
      return found;
    } finally {
      if (!isFinal && this.#kept.get(key) === answer) this.#kept.delete(key);
    }
  }
}
