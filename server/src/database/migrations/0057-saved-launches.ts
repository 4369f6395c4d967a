import { type Kysely, sql } from 'kysely';
import type { Capabilities } from '../dialects/capabilities.ts';

/** Adds saved launches of templates, which schedules may name instead of values of their own. */
export const savedLaunches = async (db: Kysely<unknown>, columns: Capabilities['columns']): Promise<void> => {
  await db.schema
    .createTable('saved_launch')
    .addColumn('id', sql.raw(columns.idOnce))
    .addColumn('project_id', 'integer', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addColumn('template_id', 'integer', (c) => c.notNull().references('template.id').onDelete('cascade'))
    .addColumn('user_id', 'integer', (c) => c.references('users.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('launch_values', 'text', (c) => c.notNull())
    .execute();
  // A unique index takes nulls for different values, so shared names need an index of their own.
  await sql`create unique index saved_launch_shared_name on saved_launch (template_id, name) where user_id is null`.execute(
    db,
  );
  await db.schema
    .createIndex('saved_launch_own_name')
    .on('saved_launch')
    .columns(['template_id', 'user_id', 'name'])
    .unique()
    .execute();
  await db.schema.createIndex('saved_launch_project').on('saved_launch').column('project_id').execute();
  await db.schema.createIndex('saved_launch_user').on('saved_launch').column('user_id').execute();
  await db.schema
    .alterTable('schedule')
    .addColumn('saved_launch_id', 'integer', (c) => c.references('saved_launch.id'))
    .execute();
  await db.schema.createIndex('schedule_saved_launch').on('schedule').column('saved_launch_id').execute();
};
