/** Number of answers that are kept. */
const MAX_KEPT = 100;

/** The answers of runners to queries whose answers never change. Failures are not kept. */
export class AnswerCache<T> {
  readonly #kept = new Map<string, Promise<T>>();

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
    try {
      return await answer;
    } catch (error) {
      if (this.#kept.get(key) === answer) this.#kept.delete(key);
      throw error;
    }
  }
}
