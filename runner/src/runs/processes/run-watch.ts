import { type FSWatcher, watch } from 'node:fs';

/** How often a run is looked at even when the kernel reports nothing, in milliseconds. */
const FLOOR_MS = 1_000;

/**
 * Takes what the kernel needs for all watching, one file of this process, while there is one: at the first run it might
 * be the last, without which a run cannot come to its end.
 */
export const prepareToWatch = (folder: string): void => {
  try {
    watch(folder).close();
  } catch {
    // Every run is then looked at by its timer.
  }
};

/** Calls `look` when something in the folder changes, and at least every second. */
export class RunWatch {
  readonly #timer: NodeJS.Timeout;
  #watcher: FSWatcher | undefined;

  constructor(folder: string, look: () => void) {
    try {
      this.#watcher = watch(folder, { persistent: false }, look);
      // Without a watch, for instance where their number is used up, the timer goes on alone.
      this.#watcher.on('error', () => this.#watcher?.close());
    } catch {
      this.#watcher = undefined;
    }
    this.#timer = setInterval(look, FLOOR_MS);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#watcher?.close();
  }
}
