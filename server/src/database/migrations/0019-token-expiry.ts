import type { Kysely } from 'kysely';

/** When an API token stops working; null for never. */
export const tokenExpiry = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.alterTable('api_token').addColumn('expires_at', 'text').execute();
};
