import type { Kysely } from 'kysely';

/** Which process of a runner was admitted last, and whether another one has tried its token. */
export const runnerProcesses = async (db: Kysely<unknown>): Promise<void> => {
  for (const column of ['process', 'connection', 'challenger', 'duplicate_seen'])
    await db.schema.alterTable('runner').addColumn(column, 'text').execute();
};
