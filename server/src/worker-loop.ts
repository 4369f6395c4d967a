/** Whoever leaves work behind need not know who does it: it is looked for so often, in milliseconds. */
const LOOK_MS = 60_000;

/** Does what was written down to be done: within a minute, and soon after each `wake`; one sweep at a time. */
export class Sweeper {
  readonly #sweep: (signal: AbortSignal) => Promise<unknown>;
  readonly #onError: (error: unknown) => void;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  #again = false;
  #timer: NodeJS.Timeout | undefined;

  /** @param sweep does all that is due, and ends early once its signal is aborted; the next sweep goes on after a fault */
  constructor(sweep: (signal: AbortSignal) => Promise<unknown>, onError: (error: unknown) => void) {
    this.#sweep = sweep;
    this.#onError = onError;
  }

  /** Does at once what a crash left behind, and then what comes. */
  start(): void {
    this.#timer = setInterval(() => this.wake(), LOOK_MS);
    this.wake();
  }

  wake(): void {
    if (this.#stopping.signal.aborted) return;
    this.#again = true;
    this.#running ??= this.#run();
  }

  /** Resolves when nothing that was due before is left, or when it failed: then the next wake tries again. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    try {
      while (this.#again) {
        this.#again = false;
        await this.#sweep(this.#stopping.signal);
      }
    } catch (error) {
      this.#onError(error);
    } finally {
      this.#running = undefined;
    }
  }
}
