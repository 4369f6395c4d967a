import { type Kysely, sql } from 'kysely';
import type { Capabilities } from '../dialects/capabilities.ts';

/** What all runs of a project did to each host, and the runs that are still to be written down there. */
export const hostLedger = async (db: Kysely<unknown>, columns: Capabilities['columns']): Promise<void> => {
  await db.schema
    .createTable('host')
    .addColumn('id', sql.raw(columns.id), (c) => c.primaryKey())
    .addColumn('project_id', 'integer', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addColumn('host', 'text', (c) => c.notNull())
    .addColumn('last_success', 'text')
    // No references: the times stay when the task goes, and a task is deleted without a look at every host.
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
    // No reference: the task may be deleted before its results are written down; its log waits for that.
    .addColumn('task_id', 'integer', (c) => c.notNull())
    .addColumn('ended', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('host_ledger_due_task').on('host_ledger_due').column('task_id').execute();
  await db.schema.createIndex('host_ledger_due_project').on('host_ledger_due').column('project_id').execute();
};
