import { type Clock, systemClock } from './clock.ts';

export interface WorkerLoopOptions {
  /**
   * Does everything that is due. Ends early once the signal is aborted.
   * @returns the time until the next round in milliseconds, if it is shorter than `everyMs`
   */
  readonly work: (signal: AbortSignal) => Promise<number | undefined>;
  /** Maximum time between two rounds, in milliseconds. Finds work that another server or a crash left over. */
  readonly everyMs: number;
  /** Time from the start to the first round, in milliseconds. Default: none. */
  readonly firstMs?: number;
  /** Called when a round fails. Later rounds run anyway. */
  readonly onError: (error: unknown) => void;
  readonly clock?: Pick<Clock, 'after'>;
}

/** Runs rounds of work: soon after each `wake`, and at a regular interval. Only one round runs at a time. */
export class WorkerLoop {
  readonly #options: WorkerLoopOptions;
  readonly #clock: Pick<Clock, 'after'>;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  #again = false;
  #isStarted = false;
  #cancel: () => void = () => undefined;

  constructor(options: WorkerLoopOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /** Starts the regular rounds. */
  start(): void {
    this.#isStarted = true;
    if (this.#options.firstMs === undefined) this.wake();
    else this.#schedule(this.#options.firstMs);
  }

  /** Starts a round now, or after the current round. */
  wake(): void {
    if (this.#stopping.signal.aborted) return;
    this.#again = true;
    this.#running ??= this.#run();
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Resolves when no round is running. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  /** Ends the loop. Resolves when the current round has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#cancel();
    await this.#running;
  }

  async #run(): Promise<void> {
    let wait = this.#options.everyMs;
    this.#cancel();
    while (this.#again && !this.#stopping.signal.aborted) {
      this.#again = false;
      wait = await this.#work();
    }
    this.#running = undefined;
    if (this.#isStarted && !this.#stopping.signal.aborted) this.#schedule(wait);
  }

  async #work(): Promise<number> {
    const { work, everyMs, onError } = this.#options;
    try {
      return Math.min(everyMs, (await work(this.#stopping.signal)) ?? everyMs);
    } catch (error) {
      onError(error);
      return everyMs;
    }
  }

  #schedule(ms: number): void {
    this.#cancel = this.#clock.after(ms, () => this.wake());
  }
}

/** Interval for work that other parts of the server usually wake, in milliseconds. */
const SWEEP_MS = 60_000;

/** Creates a loop for work that is stored in the database. The interval finds work whose wake-up was lost. */
export const makeSweeper = (
  sweep: (signal: AbortSignal) => Promise<unknown>,
  onError: (error: unknown) => void,
): WorkerLoop =>
  new WorkerLoop({
    work: async (signal) => {
      await sweep(signal);
      return undefined;
    },
    everyMs: SWEEP_MS,
    onError,
  });
