import { type Kysely, sql } from 'kysely';
import type { Capabilities } from '../dialects/capabilities.ts';

/** Adds how the runs of each template ended on each host. */
export const hostTemplates = async (db: Kysely<unknown>, columns: Capabilities['columns']): Promise<void> => {
  await db.schema
    .createTable('host_template')
    .addColumn('host_id', 'integer', (c) => c.notNull().references('host.id').onDelete('cascade'))
    .addColumn('template_id', 'integer', (c) => c.notNull().references('template.id').onDelete('cascade'))
    // No foreign key: what happened outlives the task, and deleting a task must not read every host.
    .addColumn('task_id', 'integer', (c) => c.notNull())
    .addColumn('ended', sql.raw(columns.long), (c) => c.notNull())
    .addColumn('outcome', 'text', (c) => c.notNull())
    .addColumn('cause', 'text')
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('runs', 'integer', (c) => c.notNull())
    .addColumn('last_day', 'integer', (c) => c.notNull())
    .addColumn('days', 'text', (c) => c.notNull())
    .addColumn('past', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('host_template_of', ['host_id', 'template_id'])
    .execute();
  // A template is deleted with its rows.
  await db.schema.createIndex('host_template_template').on('host_template').column('template_id').execute();
};
