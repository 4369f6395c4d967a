import type { Kysely } from 'kysely';

/** Adds the arguments that runs got: those of the template may have been changed since. */
export const runArguments = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.alterTable('task').addColumn('run_arguments', 'text').execute();
};
