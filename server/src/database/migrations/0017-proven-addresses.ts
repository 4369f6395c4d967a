import type { Kysely } from 'kysely';

/**
 * Whether an admin set the email address of a user, or its owner confirmed it. Existing addresses count as
 * confirmed.
 */
export const provenAddresses = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .alterTable('users')
    .addColumn('email_proven', 'integer', (column) => column.notNull().defaultTo(1))
    .execute();
};
