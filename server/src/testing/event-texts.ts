import { readEvent } from '../audit/read-event.ts';
import type { StateReader } from '../database/database.ts';

/** The English texts of all stored events, oldest first. */
export const eventTexts = async (db: StateReader): Promise<string[]> => {
  const rows = await db.selectFrom('event').select(['kind', 'params']).orderBy('id').execute();
  return rows.map(({ kind, params }) => readEvent(kind, params).description);
};
