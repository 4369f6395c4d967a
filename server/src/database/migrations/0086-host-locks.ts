import type { Kysely } from 'kysely';

/** Adds locks on hosts: whether templates and tasks have them, and the hosts of each such task that has not ended. */
export const hostLocks = async (db: Kysely<unknown>): Promise<void> => {
  for (const table of ['template', 'task'])
    await db.schema
      .alterTable(table)
      .addColumn('lock_hosts', 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
  await db.schema
    .createTable('task_hosts')
    .addColumn('task_id', 'integer', (c) => c.primaryKey().references('task.id').onDelete('cascade'))
    .addColumn('project_id', 'integer', (c) => c.notNull())
    .addColumn('shared', 'integer', (c) => c.notNull())
    .addColumn('digest', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('hosts', 'text', (c) => c.notNull().defaultTo('[]'))
    .addColumn('commit_hash', 'text')
    .addColumn('next_attempt', 'text', (c) => c.notNull().defaultTo(''))
    .execute();
};
