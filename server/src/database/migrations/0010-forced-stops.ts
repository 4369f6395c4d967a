import type { Kysely } from 'kysely';

/** Whether a task was asked to stop by force: a runner may hear of it only after it, or its server, was started anew. */
export const forcedStops = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .alterTable('task')
    .addColumn('stop_forced', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
};
