import type { Kysely } from 'kysely';

/** Flags events about what only some members may see. They stay hidden after their object is deleted. */
export const restrictedEvents = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .alterTable('event')
    .addColumn('restricted', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
};
