import type { Kysely } from 'kysely';

/** Why a task failed, as a code with parameters in JSON; null while it has not failed, and where no reason is known. */
export const taskFailures = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.alterTable('task').addColumn('failure', 'text').execute();
};
