import type { Kysely } from 'kysely';

/** Since when a runner with work is unreachable. */
export const unreachableRunners = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.alterTable('runner').addColumn('unreachable_since', 'text').execute();
};
