import { type FSWatcher, watch } from 'node:fs';

/** Interval of the checks that do not depend on events of the kernel, in milliseconds. */
const FLOOR_MS = 1_000;

/** Minimum time between two checks because files grew, in milliseconds. */
const GROWTH_MS = 20;

/**
 * Reserves the resources of the kernel for all watches, including one file descriptor of this process, at start. At the
 * first run it might take the last file descriptor, without which a run cannot end.
 */
export const prepareToWatch = (folder: string): void => {
  try {
    watch(folder).close();
  } catch {
    // Without these resources, every run is checked by its timer.
  }
};

/**
 * Calls `check` when the folder changes, and at least every second. A new file causes a check at once. The output may
 * grow thousands of times per second, and all events are delivered before any timer runs, so they must be cheap.
 */
export class RunWatch {
  readonly #check: () => void;
  readonly #timer: NodeJS.Timeout;
  #next: NodeJS.Timeout | undefined;
  #lastGrowth = 0;
  #watcher: FSWatcher | undefined;

  constructor(folder: string, check: () => void) {
    this.#check = check;
    try {
      this.#watcher = watch(folder, { persistent: false }, (event) => (event === 'rename' ? check() : this.#grown()));
      // If watching fails, for example because no more watches are available, the timer continues alone.
      this.#watcher.on('error', () => this.#watcher?.close());
    } catch {
      this.#watcher = undefined;
    }
    this.#timer = setInterval(check, FLOOR_MS);
  }

  #grown(): void {
    if (this.#next) return;
    this.#next = setTimeout(
      () => {
        this.#next = undefined;
        this.#lastGrowth = performance.now();
        this.#check();
      },
      Math.max(0, this.#lastGrowth + GROWTH_MS - performance.now()),
    );
  }

  close(): void {
    clearInterval(this.#timer);
    clearTimeout(this.#next);
    this.#watcher?.close();
  }
}
