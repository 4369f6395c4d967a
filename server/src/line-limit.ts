import type { Clock } from './clock.ts';

const WINDOW_MS = 60_000;

/**
 * Bounds log lines that anonymous calls cause: at most `most` a minute. The first line of a later minute carries the
 * number of those that were left out before it.
 */
export const limitLines = (clock: Clock, most: number) => {
  let since = Number.NEGATIVE_INFINITY;
  let written = 0;
  let omitted = 0;
  return (write: (omittedBefore: { readonly omitted?: number }) => void): void => {
    const now = clock.monotonic();
    if (now - since >= WINDOW_MS) {
      since = now;
      written = 0;
    }
    if (written >= most) {
      omitted += 1;
      return;
    }
    written += 1;
    write(omitted === 0 ? {} : { omitted });
    omitted = 0;
  };
};
