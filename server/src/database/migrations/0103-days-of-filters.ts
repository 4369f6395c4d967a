import type { Kysely } from 'kysely';

/** Adds the days on which the tasks of a saved filter were created. */
export const daysOfFilters = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.alterTable('saved_filter').addColumn('days', 'integer').execute();
  for (const column of ['from_day', 'to_day'])
    await db.schema.alterTable('saved_filter').addColumn(column, 'text').execute();
};
