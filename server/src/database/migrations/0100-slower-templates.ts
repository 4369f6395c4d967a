import { type Kysely, sql } from 'kysely';
import type { Capabilities } from '../dialects/capabilities.ts';

/** Adds from which run on templates are slower, and the number of changed results of each run. */
export const slowerTemplates = async (db: Kysely<unknown>, columns: Capabilities['columns']): Promise<void> => {
  await db.schema
    .createTable('slower_template')
    .addColumn('template_id', 'integer', (c) => c.primaryKey().references('template.id').onDelete('cascade'))
    .addColumn('task_id', 'integer', (c) => c.notNull().references('task.id').onDelete('cascade'))
    .addColumn('before_id', 'integer', (c) => c.notNull().references('task.id').onDelete('cascade'))
    .addColumn('before_ms', sql.raw(columns.long), (c) => c.notNull())
    .addColumn('after_ms', sql.raw(columns.long), (c) => c.notNull())
    .addColumn('step', 'text', (c) => c.notNull())
    .execute();
  await db.schema.alterTable('run_time').addColumn('changed', 'integer').execute();
};
