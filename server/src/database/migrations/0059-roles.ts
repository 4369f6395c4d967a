import { type Kysely, sql } from 'kysely';
import type { Capabilities } from '../dialects/capabilities.ts';

/** Adds roles of projects and of the system, which members can have instead of a fixed role. */
export const roles = async (db: Kysely<unknown>, columns: Capabilities['columns']): Promise<void> => {
  await db.schema
    .createTable('custom_role')
    .addColumn('id', sql.raw(columns.idOnce))
    .addColumn('project_id', 'integer', (c) => c.references('project.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('starts_from', 'text', (c) => c.notNull())
    .addColumn('permissions', 'integer', (c) => c.notNull())
    .execute();
  await sql`create unique index custom_role_name on custom_role (coalesce(project_id, 0), name)`.execute(db);
  await db.schema
    .alterTable('project_user')
    .addColumn('role_id', 'integer', (c) => c.references('custom_role.id'))
    .execute();
  // Finds the members of each role. Most members have a fixed one.
  await sql`create index project_user_role on project_user (role_id) where role_id is not null`.execute(db);
};
