import type { Kysely } from 'kysely';

/** Adds queries to runners that are linked to another server. A row lives until its answer is read. */
export const relayedQueries = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('relayed_query')
    .addColumn('query_id', 'integer', (c) => c.primaryKey().references('runner_query.id').onDelete('cascade'))
    .addColumn('runner_id', 'integer', (c) => c.notNull())
    .addColumn('query', 'text')
    .addColumn('answer', 'text')
    .addColumn('expires', 'text', (c) => c.notNull())
    .execute();
};
