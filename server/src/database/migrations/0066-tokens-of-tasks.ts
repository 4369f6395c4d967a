import type { Kysely } from 'kysely';

/** Adds the name of the API token with which a task was started. */
export const tokensOfTasks = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .alterTable('task')
    .addColumn('token_name', 'text', (c) => c.notNull().defaultTo(''))
    .execute();
};
