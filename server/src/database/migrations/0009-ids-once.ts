import type { Kysely } from 'kysely';
import type { Capabilities } from '../dialects/capabilities.ts';

/** Logs, mirrors and host keys are found by these ids, so the ids must never belong to a later object. */
export const idsOnce = async (
  db: Kysely<unknown>,
  _columns: Capabilities['columns'],
  { neverReuseIds }: Pick<Capabilities, 'neverReuseIds'>,
): Promise<void> => {
  for (const table of ['task', 'repository', 'project']) await neverReuseIds(db as unknown as Kysely<never>, table);
};
