import type { Kysely } from 'kysely';

/** Keeps the names of deleted users in events and tasks. */
export const deletedUsers = async (db: Kysely<unknown>): Promise<void> => {
  for (const table of ['event', 'task'])
    await db.schema
      .alterTable(table)
      .addColumn('deleted_user', 'text', (c) => c.notNull().defaultTo(''))
      .execute();
};
