import type { Kysely } from 'kysely';
import type { Capabilities } from '../dialects/capabilities.ts';

/** API clients, runners and the activity log refer to rows by id, so no id may later belong to another row. */
export const allIdsOnce = async (
  db: Kysely<unknown>,
  _columns: Capabilities['columns'],
  { neverReuseAnyId }: Pick<Capabilities, 'neverReuseAnyId'>,
): Promise<void> => await neverReuseAnyId(db as unknown as Kysely<never>);
