import { type Kysely, sql } from 'kysely';
import type { Capabilities } from '../dialects/capabilities.ts';

/** The history of each host, and the runs that must still be added to it. */
export const hosts = async (db: Kysely<unknown>, columns: Capabilities['columns']): Promise<void> => {
  await db.schema
    .createTable('host')
    .addColumn('id', sql.raw(columns.id), (c) => c.primaryKey())
    .addColumn('project_id', 'integer', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addColumn('host', 'text', (c) => c.notNull())
    .addColumn('last_success', 'text')
    // No foreign keys: the times outlive the tasks, and deleting a task must not read every host.
    .addColumn('last_success_task', 'integer')
    .addColumn('last_change', 'text')
    .addColumn('last_change_task', 'integer')
    .addColumn('last_failure', 'text')
    .addColumn('last_failure_task', 'integer')
    .addColumn('runs', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('host_name').on('host').columns(['project_id', 'host']).unique().execute();
  await db.schema
    .createTable('host_ledger_due')
    .addColumn('id', sql.raw(columns.id), (c) => c.primaryKey())
    .addColumn('project_id', 'integer', (c) => c.notNull().references('project.id').onDelete('cascade'))
    // No foreign key: the task may be deleted before its results are read. Its log is kept until then.
    .addColumn('task_id', 'integer', (c) => c.notNull())
    .addColumn('ended', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('host_ledger_due_task').on('host_ledger_due').column('task_id').execute();
  await db.schema.createIndex('host_ledger_due_project').on('host_ledger_due').column('project_id').execute();
};
