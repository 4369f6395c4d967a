/** Time between the polls of all runs, on average, in milliseconds. */
const BETWEEN_MS = 8;
/** Maximum delay of a poll because of other runs, in milliseconds. */
const MAX_DELAY_MS = 100;

/**
 * Distributes the polls of a runner's runs over time. Each poll that finds lines costs messages and a commit of the
 * server. With many busy runs, each run polls less often and sends more lines at a time. Times are in milliseconds of the
 * monotonic clock.
 */
export class PollPace {
  #next = 0;

  /** Reserves the time of a poll: `earliest`, or later if other runs poll then. */
  reserve(earliest: number): number {
    const latest = earliest + MAX_DELAY_MS;
    const at = Math.min(Math.max(earliest, this.#next), latest);
    this.#next = Math.min(at + BETWEEN_MS, latest);
    return at;
  }
}
