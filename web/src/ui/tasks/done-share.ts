import type { TaskExpectation } from '@signalbox/contract';

type Expected = Partial<TaskExpectation> & { readonly start: string | null };

/** A running task is never shown as complete. */
const MAX_SHARE = 0.99;

/** The part of a task that is done; null if it is unknown. Between two messages of the server it grows with the clock. */
export const doneShare = ({ start, expected_end: end, done_share: share }: Expected, now: number): number | null => {
  if (!end || share === null || share === undefined) return null;
  if (start === null) return share;
  const from = Date.parse(start);
  return Math.min(MAX_SHARE, Math.max(share, (now - from) / Math.max(1, Date.parse(end) - from)));
};
