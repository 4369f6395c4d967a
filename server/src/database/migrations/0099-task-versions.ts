import type { Kysely } from 'kysely';

/** Adds what ended tasks were executed with. */
export const taskVersions = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('task_version')
    .addColumn('task_id', 'integer', (c) => c.primaryKey().references('task.id').onDelete('cascade'))
    .addColumn('versions', 'text', (c) => c.notNull())
    .execute();
};
