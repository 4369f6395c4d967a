import { type Kysely, sql } from 'kysely';
import type { Capabilities } from '../dialects/capabilities.ts';

/** One table for work that is done after a transaction. Replaces one table per kind of work, and keeps their rows. */
export const outbox = async (db: Kysely<unknown>, columns: Capabilities['columns']): Promise<void> => {
  await db.schema
    .createTable('outbox')
    .addColumn('id', sql.raw(columns.idOnce))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('project_id', 'integer', (c) => c.references('project.id').onDelete('cascade'))
    // No foreign key: the task may be deleted before the work is done.
    .addColumn('task_id', 'integer', (c) => c.notNull())
    .addColumn('created', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('outbox_kind').on('outbox').columns(['kind', 'id']).execute();
  await db.schema.createIndex('outbox_task').on('outbox').columns(['task_id', 'kind']).execute();
  await db.schema.createIndex('outbox_project').on('outbox').column('project_id').execute();
  await sql`
    insert into outbox (kind, project_id, task_id, created)
    select 'host_history', project_id, task_id, ended from host_ledger_due order by id`.execute(db);
  await sql`
    insert into outbox (kind, project_id, task_id, created)
    select 'log_removal', null, task_id, '' from log_removal order by id`.execute(db);
  await db.schema.dropTable('host_ledger_due').execute();
  await db.schema.dropTable('log_removal').execute();
};
