import { type Kysely, sql } from 'kysely';
import type { Capabilities } from '../dialects/capabilities.ts';

/**
 * The heads and blocks of logs. SQLite stores them in a file of their own, so they have no foreign keys to the state.
 */
export const logs = async (db: Kysely<unknown>, columns: Capabilities['columns']): Promise<void> => {
  await db.schema
    .createTable('log_head')
    .addColumn('task_id', 'integer', (c) => c.primaryKey())
    .addColumn('epoch', 'integer', (c) => c.notNull())
    .addColumn('next_line', 'integer', (c) => c.notNull())
    .addColumn('offset', sql.raw(columns.long), (c) => c.notNull())
    .addColumn('next_result', 'integer', (c) => c.notNull())
    .addColumn('loose_bytes', sql.raw(columns.long), (c) => c.notNull())
    .addColumn('sealed', 'integer', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('log_block')
    .addColumn('task_id', 'integer', (c) => c.notNull())
    .addColumn('stream', 'text', (c) => c.notNull())
    .addColumn('first', 'integer', (c) => c.notNull())
    .addColumn('count', 'integer', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('data', sql.raw(columns.bytes), (c) => c.notNull())
    .addPrimaryKeyConstraint('log_block_key', ['task_id', 'stream', 'first'])
    .execute();
};
