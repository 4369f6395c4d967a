import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long work may block the event loop, in milliseconds. */
const SLICE_MS = 10;

/** Splits long work, so that other calls are answered in between. Check `isOver` after each step. */
export class WorkSlice {
  #began = performance.now();

  /** Whether it is time to call `next`. */
  get isOver(): boolean {
    return performance.now() - this.#began >= SLICE_MS;
  }

  /** Resolves after a turn of the event loop; a new slice begins. */
  async next(): Promise<void> {
    await nextTurn();
    this.#began = performance.now();
  }
}

/** Maps a list in slices, for items that take long to map. */
export const mapInSlices = async <T, R>(items: readonly T[], map: (item: T) => R): Promise<R[]> => {
  const slice = new WorkSlice();
  const mapped: R[] = [];
  for (const item of items) {
    mapped.push(map(item));
    if (slice.isOver) await slice.next();
  }
  return mapped;
};
