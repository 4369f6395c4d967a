const WIDTH = 30;
/** Redrawn at most so often, in milliseconds. */
const DRAW_MS = 100;

/** A bar on the terminal for work that takes long; nothing where nobody watches. */
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

  /** Takes the bar away. */
  end(): void {
    if (process.stderr.isTTY && this.#drawn > 0) process.stderr.write('\r\u001b[K');
  }
}
