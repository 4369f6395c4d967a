const WIDTH = 30;
/** Minimum time between two updates of the bar, in milliseconds. */
const DRAW_MS = 100;

/** A progress bar on the terminal. Prints nothing when standard error is not a terminal. */
export class Progress {
  readonly #title: string;
  readonly #total: number;
  #done = 0;
  #drawn = 0;

  constructor(title: string, total: number) {
    this.#title = title;
    this.#total = total;
  }

  add(count = 1): void {
    this.#done += count;
    const now = performance.now();
    if (!process.stderr.isTTY || now - this.#drawn < DRAW_MS) return;
    this.#drawn = now;
    const part = this.#total === 0 ? 1 : Math.min(1, this.#done / this.#total);
    const full = Math.round(part * WIDTH);
    const bar = '█'.repeat(full) + '░'.repeat(WIDTH - full);
    process.stderr.write(`\r\u001b[K${this.#title} ${bar} ${Math.floor(part * 100)}%`);
  }

  /** Removes the bar. */
  end(): void {
    if (process.stderr.isTTY && this.#drawn > 0) process.stderr.write('\r\u001b[K');
  }
}
