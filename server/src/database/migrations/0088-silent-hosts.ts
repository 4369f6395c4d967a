import type { Kysely } from 'kysely';

/** Adds whether a project sends alerts about silent hosts, and the steps of running tasks about which one was stored. */
export const silentHosts = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .alterTable('project')
    .addColumn('alert_silent_hosts', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createTable('silent_alert')
    .addColumn('task_id', 'integer', (c) => c.notNull().references('task.id').onDelete('cascade'))
    .addColumn('step', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('silent_alert_key', ['task_id', 'step'])
    .execute();
};
