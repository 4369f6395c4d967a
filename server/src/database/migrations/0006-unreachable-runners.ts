import type { Kysely } from 'kysely';

/** Since when nobody has heard a runner that has something to do. */
export const unreachableRunners = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.alterTable('runner').addColumn('unreachable_since', 'text').execute();
};
