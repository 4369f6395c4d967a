import type { Kysely } from 'kysely';

/** Adds locks: their names on templates and tasks, and a row for each lock of a task that has not ended. */
export const locks = async (db: Kysely<unknown>): Promise<void> => {
  for (const table of ['template', 'task'])
    await db.schema
      .alterTable(table)
      .addColumn('locks', 'text', (c) => c.notNull().defaultTo('[]'))
      .execute();
  await db.schema
    .createTable('task_lock')
    .addColumn('task_id', 'integer', (c) => c.notNull().references('task.id').onDelete('cascade'))
    .addColumn('project_id', 'integer', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('shared', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('task_lock_key', ['task_id', 'name'])
    .execute();
  await db.schema
    .createIndex('task_lock_name')
    .on('task_lock')
    .columns(['project_id', 'name', 'task_id', 'shared'])
    .execute();
};
