import type { Clock } from './clock.ts';

const WINDOW_MS = 60_000;

/**
 * Limits the log lines that anonymous calls can cause to `most` a minute. The first line of a later minute contains the
 * number of omitted lines.
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
