import { type Kysely, sql } from 'kysely';
import type { Capabilities } from '../dialects/capabilities.ts';

/** Adds the times of the steps of ended runs. */
export const runTimes = async (db: Kysely<unknown>, columns: Capabilities['columns']): Promise<void> => {
  await db.schema
    .createTable('run_time')
    .addColumn('task_id', 'integer', (c) => c.primaryKey().references('task.id').onDelete('cascade'))
    .addColumn('template_id', 'integer', (c) => c.notNull().references('template.id').onDelete('cascade'))
    .addColumn('options', 'text', (c) => c.notNull())
    .addColumn('succeeded', 'integer', (c) => c.notNull())
    .addColumn('lead', sql.raw(columns.long), (c) => c.notNull())
    .addColumn('total', sql.raw(columns.long), (c) => c.notNull())
    .addColumn('hosts', 'integer', (c) => c.notNull())
    .addColumn('times', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('run_time_usual')
    .on('run_time')
    .columns(['template_id', 'options', 'succeeded', 'task_id'])
    .execute();
};
