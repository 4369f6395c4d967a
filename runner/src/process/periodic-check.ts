/** How often a runner checks what is installed, in milliseconds. */
const CHECK_MS = 60_000;

/** Repeats a check every minute, so that a runner need not be restarted when programs are installed or removed. */
export class PeriodicCheck {
  readonly #check: () => Promise<void>;
  #timer: NodeJS.Timeout | undefined;

  constructor(check: () => Promise<void>) {
    this.#check = check;
  }

  /** Resolves after the first check. */
  async start(): Promise<void> {
    this.#timer ??= setInterval(() => void this.#check(), CHECK_MS).unref();
    await this.#check();
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
