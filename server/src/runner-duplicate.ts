import { DAY_MS } from '@signalbox/contract/limits';

/** When two processes used the token of a runner, if that was within the last day. Null otherwise. */
export const recentDuplicate = (
  { duplicate_seen }: { readonly duplicate_seen: string | null },
  now: Date,
): string | null => {
  const dayAgo = new Date(now.getTime() - DAY_MS).toISOString();
  return duplicate_seen !== null && duplicate_seen > dayAgo ? duplicate_seen : null;
};
