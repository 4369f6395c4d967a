/** Longest time that one slice blocks the page, in milliseconds. */
const SLICE_MS = 10;

/**
 * Runs work that pauses at each `yield` in slices, so that the page is never blocked for long. The first slice runs at
 * once, so that short work is done when it returns.
 * @returns stops the work
 */
export const inSlices = <Result>(work: Generator<void, Result>, onDone: (result: Result) => void): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const slice = (): void => {
    const until = performance.now() + SLICE_MS;
    do {
      const step = work.next();
      if (step.done) {
        onDone(step.value);
        return;
      }
    } while (performance.now() < until);
    timer = setTimeout(slice);
  };
  slice();
  return () => clearTimeout(timer);
};
