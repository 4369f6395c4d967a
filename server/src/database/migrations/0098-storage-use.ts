import { type Kysely, sql } from 'kysely';
import type { Capabilities } from '../dialects/capabilities.ts';

/**
 * Adds the sizes of tasks, what the tasks of each template and the hosts of each project use, and the search for objects
 * without a log: how many were removed, the last one that was read, and when the search continues.
 */
export const storageUse = async (db: Kysely<unknown>, columns: Capabilities['columns']): Promise<void> => {
  const long = sql.raw(columns.long);
  await db.schema.alterTable('task').addColumn('log_bytes', long).execute();
  await db.schema.alterTable('task').addColumn('result_bytes', long).execute();
  let template = db.schema
    .createTable('template_storage')
    .addColumn('template_id', 'integer', (c) => c.primaryKey().references('template.id').onDelete('cascade'))
    .addColumn('project_id', 'integer', (c) => c.notNull());
  for (const name of ['tasks', 'logs', 'log_bytes', 'result_bytes', 'written', 'expiring'])
    template = template.addColumn(name, long, (c) => c.notNull());
  await template
    .addColumn('curve', 'text', (c) => c.notNull())
    .addColumn('measured', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('template_storage_project').on('template_storage').column('project_id').execute();
  await db.schema
    .alterTable('log_store')
    .addColumn('orphans', long, (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema
    .alterTable('log_store')
    .addColumn('orphans_after', 'text', (c) => c.notNull().defaultTo(''))
    .execute();
  await db.schema.alterTable('log_store').addColumn('orphans_due', 'text').execute();
  await db.schema
    .createTable('project_storage')
    .addColumn('project_id', 'integer', (c) => c.primaryKey().references('project.id').onDelete('cascade'))
    .addColumn('host_bytes', long, (c) => c.notNull())
    .addColumn('measured', 'text', (c) => c.notNull())
    .execute();
};
