import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long work may go on before the event loop gets a turn, in milliseconds. */
const SLICE_MS = 10;

/** Splits long work, so that other calls are answered in between. */
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

/** Maps a list whose items may take long. */
export const mapInSlices = async <T, R>(items: readonly T[], map: (item: T) => R): Promise<R[]> => {
  const slice = new WorkSlice();
  const mapped: R[] = [];
  for (const item of items) {
    mapped.push(map(item));
    if (slice.isOver) await slice.next();
  }
  return mapped;
};
