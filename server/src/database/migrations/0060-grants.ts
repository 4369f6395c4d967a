import { type Kysely, sql } from 'kysely';
import type { Capabilities } from '../dialects/capabilities.ts';

/** Adds restricted templates and views, grants on them, and the groups of users of identity providers. */
export const grants = async (db: Kysely<unknown>, columns: Capabilities['columns']): Promise<void> => {
  for (const table of ['template', 'view']) {
    await db.schema
      .alterTable(table)
      .addColumn('restricted', 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
    // Most projects have none, which each call finds out.
    await sql`create index ${sql.ref(`${table}_restricted`)} on ${sql.table(table)} (project_id) where restricted = 1`.execute(
      db,
    );
  }
  await db.schema
    .createTable('access_grant')
    .addColumn('id', sql.raw(columns.idOnce))
    .addColumn('project_id', 'integer', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addColumn('template_id', 'integer', (c) => c.references('template.id').onDelete('cascade'))
    .addColumn('view_id', 'integer', (c) => c.references('view.id').onDelete('cascade'))
    .addColumn('user_id', 'integer', (c) => c.references('users.id').onDelete('cascade'))
    .addColumn('role', 'text')
    .addColumn('role_id', 'integer', (c) => c.references('custom_role.id').onDelete('cascade'))
    .addColumn('group_name', 'text', (c) => c.notNull())
    .addColumn('rights', 'text', (c) => c.notNull())
    .addColumn('inventory_id', 'integer', (c) => c.references('inventory.id'))
    .addColumn('limit_hosts', 'text', (c) => c.notNull())
    .addColumn('answers', 'text', (c) => c.notNull())
    .addColumn('granted_by', 'integer', (c) => c.references('users.id').onDelete('set null'))
    .addColumn('granted_by_name', 'text', (c) => c.notNull())
    .addColumn('created', 'text', (c) => c.notNull())
    .execute();
  for (const column of ['project_id', 'template_id', 'view_id', 'user_id', 'role_id', 'inventory_id', 'granted_by'])
    await db.schema.createIndex(`access_grant_${column}`).on('access_grant').column(column).execute();
  await db.schema
    .createTable('user_group')
    .addColumn('user_id', 'integer', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('user_group_key', ['user_id', 'name'])
    .execute();
};
