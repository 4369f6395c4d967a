import { type Kysely, sql } from 'kysely';
import type { Capabilities } from '../dialects/capabilities.ts';

/** Queries that runners answered, each with a lease of its own. */
export const runnerQueries = async (db: Kysely<unknown>, columns: Capabilities['columns']): Promise<void> => {
  await db.schema
    .createTable('question')
    .addColumn('id', sql.raw(columns.id), (c) => c.primaryKey())
    .addColumn('project_id', 'integer', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addColumn('user_id', 'integer', (c) => c.references('users.id').onDelete('set null'))
    .addColumn('address', 'text', (c) => c.notNull())
    // No foreign key: the record outlives the runner.
    .addColumn('runner_id', 'integer', (c) => c.notNull())
    .addColumn('runner_name', 'text', (c) => c.notNull())
    .addColumn('ask', 'text', (c) => c.notNull())
    .addColumn('object_type', 'text', (c) => c.notNull())
    .addColumn('object_id', 'integer')
    .addColumn('created', 'text', (c) => c.notNull())
    .addColumn('expires', 'text', (c) => c.notNull())
    .addColumn('ended', 'text')
    .addColumn('outcome', 'text')
    .execute();
  await db.schema.createIndex('question_project').on('question').column('project_id').execute();
  await db.schema.createIndex('question_user').on('question').column('user_id').execute();
  await db.schema.createIndex('question_runner').on('question').columns(['runner_id', 'ended']).execute();
  await db.schema.createIndex('question_created').on('question').column('created').execute();
};
