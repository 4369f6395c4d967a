import { type Clock, systemClock } from './clock.ts';

export interface WorkerLoopOptions {
  /**
   * Does all that is due, and ends early once the signal is aborted.
   * @returns the time until the next round in milliseconds, when that is sooner than `everyMs`
   */
  readonly work: (signal: AbortSignal) => Promise<number | undefined>;
  /** Longest time between two rounds, in milliseconds: another server, or a crash, may have left something to do. */
  readonly everyMs: number;
  /** Time from the start to the first round, in milliseconds. Default: none. */
  readonly firstMs?: number;
  /** Called when a round fails. The next round comes all the same. */
  readonly onError: (error: unknown) => void;
  readonly clock?: Pick<Clock, 'after'>;
}

/** Does work again and again: soon after each `wake`, and regularly without one. Only one round runs at a time. */
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

  /** Does a round now, or after the one that runs. */
  wake(): void {
    if (this.#stopping.signal.aborted) return;
    this.#again = true;
    this.#running ??= this.#run();
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Resolves when no round runs. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  /** Resolves when the round that runs has ended. No other begins. */
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

/** Interval of work that other parts of the server wake, in milliseconds: a minute. */
const SWEEP_MS = 60_000;

/** Creates a loop for work that is stored in the database, so that none is lost when nobody wakes the loop. */
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
