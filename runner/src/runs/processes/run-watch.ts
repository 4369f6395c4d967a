import { type FSWatcher, watch } from 'node:fs';

/** Interval of the checks that do not depend on events of the kernel, in milliseconds. */
const FLOOR_MS = 1_000;

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

/** Calls `check` when the folder changes, and at least every second. */
export class RunWatch {
  readonly #timer: NodeJS.Timeout;
  #watcher: FSWatcher | undefined;

  constructor(folder: string, check: () => void) {
    try {
      this.#watcher = watch(folder, { persistent: false }, check);
      // If watching fails, for example because no more watches are available, the timer continues alone.
      this.#watcher.on('error', () => this.#watcher?.close());
    } catch {
      this.#watcher = undefined;
    }
    this.#timer = setInterval(check, FLOOR_MS);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#watcher?.close();
  }
}
