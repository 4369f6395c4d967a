import type { Kysely } from 'kysely';

/** A log that is complete is called closed. */
export const closedLogs = async (db: Kysely<unknown>): Promise<void> =>
  await db.schema.alterTable('log_head').renameColumn('sealed', 'closed').execute();
