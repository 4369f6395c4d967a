import { type Kysely, sql } from 'kysely';
import type { Capabilities } from '../dialects/capabilities.ts';

/** Schedules: what starts when, and the progress of each schedule. */
export const schedules = async (db: Kysely<unknown>, columns: Capabilities['columns']): Promise<void> => {
  await db.schema
    .createTable('schedule')
    .addColumn('id', sql.raw(columns.id) as never, (c) => c.primaryKey())
    .addColumn('project_id', 'integer', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addColumn('template_id', 'integer', (c) => c.notNull().references('template.id').onDelete('cascade'))
    .addColumn('repository_id', 'integer', (c) => c.references('repository.id'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('cron_format', 'text', (c) => c.notNull())
    .addColumn('timezone', 'text', (c) => c.notNull())
    .addColumn('active', 'integer', (c) => c.notNull().check(sql`active in (0, 1)`))
    .addColumn('next_due', 'text')
    .addColumn('last_due', 'text')
    .addColumn('last_fired', 'text')
    .addColumn('seen_commit', 'text')
    .execute();
  await db.schema.createIndex('schedule_project').on('schedule').column('project_id').execute();
  await db.schema.createIndex('schedule_template').on('schedule').column('template_id').execute();
  await db.schema.createIndex('schedule_repository').on('schedule').column('repository_id').execute();
  // Finds schedules that are due, and schedules with a due time in the far future.
  await db.schema.createIndex('schedule_next_due').on('schedule').column('next_due').execute();
  await db.schema.createIndex('schedule_last_due').on('schedule').column('last_due').execute();
};
