import { type Kysely, sql } from 'kysely';
import type { Capabilities } from '../dialects/capabilities.ts';

/** Counts results that are not packed yet. */
export const results = async (db: Kysely<unknown>, columns: Capabilities['columns']): Promise<void> => {
  await db.schema
    .alterTable('log_head')
    .addColumn('loose_results', sql.raw(columns.long), (c) => c.notNull().defaultTo(0))
    .execute();
};
