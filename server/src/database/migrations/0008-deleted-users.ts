import type { Kysely } from 'kysely';

/** The name of a user who is deleted stays with what they did: nothing else says who it was. */
export const deletedUsers = async (db: Kysely<unknown>): Promise<void> => {
  for (const table of ['event', 'task'])
    await db.schema
      .alterTable(table)
      .addColumn('deleted_user', 'text', (c) => c.notNull().defaultTo(''))
      .execute();
};
