import type { Kysely } from 'kysely';

/** Whether a task was stopped by force. The runner may receive the stop only after a restart. */
export const forcedStops = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .alterTable('task')
    .addColumn('stop_forced', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
};
