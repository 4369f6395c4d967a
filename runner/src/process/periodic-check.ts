/** How often a runner checks what is installed, in milliseconds. */
const CHECK_MS = 60_000;

/**
 * Repeats a check every minute, so that a runner need not be restarted when programs are installed or removed. A round is
 * skipped while the check of an earlier one runs.
 */
export class PeriodicCheck {
  readonly #check: () => Promise<void>;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  constructor(check: () => Promise<void>) {
    this.#check = check;
  }

  /** Resolves after the first check. */
  async start(): Promise<void> {
    this.#timer ??= setInterval(() => void this.#run(), CHECK_MS).unref();
    await this.#run();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #run(): Promise<void> {
    this.#running ??= this.#check().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }
}
