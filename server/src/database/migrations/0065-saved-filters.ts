import { type Kysely, sql } from 'kysely';
import type { Capabilities } from '../dialects/capabilities.ts';

/** Adds saved filters of the history. */
export const savedFilters = async (db: Kysely<unknown>, columns: Capabilities['columns']): Promise<void> => {
  await db.schema
    .createTable('saved_filter')
    .addColumn('id', sql.raw(columns.idOnce))
    .addColumn('project_id', 'integer', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addColumn('user_id', 'integer', (c) => c.references('users.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('search', 'text', (c) => c.notNull())
    .addColumn('status', 'text')
    .addColumn('end_reason', 'text')
    .addColumn('template_id', 'integer', (c) => c.references('template.id').onDelete('cascade'))
    .addColumn('starter_id', 'integer', (c) => c.references('users.id').onDelete('cascade'))
    .execute();
  // A unique index takes nulls for different values, so shared names need an index of their own.
  await sql`create unique index saved_filter_shared_name on saved_filter (project_id, name) where user_id is null`.execute(
    db,
  );
  await db.schema
    .createIndex('saved_filter_own_name')
    .on('saved_filter')
    .columns(['project_id', 'user_id', 'name'])
    .unique()
    .execute();
  for (const column of ['user_id', 'template_id', 'starter_id'])
    await db.schema.createIndex(`saved_filter_${column}`).on('saved_filter').column(column).execute();
};
