import type { Database } from '../../database/database.ts';

/** Events per statement. Small, so that other transactions wait only briefly. */
const PAGE = 500;

/**
 * Deletes events that are older than a moment. What the audit export has not sent is stored apart, so it is sent anyway.
 * @param before undefined keeps all
 */
export const removeOldEvents = async (
  { read, autocommit }: Database,
  before: string | undefined,
  signal: AbortSignal,
): Promise<void> => {
  while (before !== undefined && !signal.aborted) {
    const oldest = await read.selectFrom('event').select(['id', 'created']).orderBy('id').limit(PAGE).execute();
    const ids = oldest.filter(({ created }) => created < before).map(({ id }) => id);
    if (ids.length > 0) await autocommit.deleteFrom('event').where('id', 'in', ids).execute();
    // Events are stored in the order of their time, so a page with a newer one is the last.
    if (ids.length < PAGE) return;
  }
};
