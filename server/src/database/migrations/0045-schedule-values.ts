import { type Kysely, sql } from 'kysely';
import type { Capabilities } from '../dialects/capabilities.ts';

/** Stores what the tasks of a schedule are started with, and the secret answers in a table of their own. */
export const scheduleValues = async (db: Kysely<unknown>, columns: Capabilities['columns']): Promise<void> => {
  await db.schema
    .alterTable('schedule')
    .addColumn('launch_values', 'text', (column) => column.notNull().defaultTo('{}'))
    .execute();
  await db.schema
    .createTable('schedule_secret')
    .addColumn('id', sql.raw(columns.idOnce))
    .addColumn('schedule_id', 'integer', (c) => c.notNull().references('schedule.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('secret', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('schedule_secret_schedule').on('schedule_secret').column('schedule_id').execute();
};
