import { type Kysely, sql } from 'kysely';
import type { Capabilities } from '../dialects/capabilities.ts';

/** Adds the groups and facts of hosts, what runs changed on them, and whether a project collects facts. */
export const hostFacts = async (db: Kysely<unknown>, columns: Capabilities['columns']): Promise<void> => {
  await db.schema.alterTable('host_template').addColumn('group_names', 'text').execute();
  await db.schema
    .alterTable('project')
    .addColumn('collect_facts', 'integer', (c) => c.notNull().defaultTo(1))
    .execute();
  await db.schema
    .createTable('host_fact')
    .addColumn('host_id', 'integer', (c) => c.notNull().references('host.id').onDelete('cascade'))
    .addColumn('ended', sql.raw(columns.long), (c) => c.notNull())
    .addColumn('task_id', 'integer', (c) => c.notNull())
    .addColumn('template_id', 'integer', (c) => c.notNull())
    .addColumn('seen_ended', sql.raw(columns.long), (c) => c.notNull())
    .addColumn('seen_task_id', 'integer', (c) => c.notNull())
    .addColumn('seen_template_id', 'integer', (c) => c.notNull())
    .addColumn('digest', 'text', (c) => c.notNull())
    .addColumn('facts', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('host_fact_of', ['host_id', 'ended', 'task_id'])
    .execute();
  await db.schema
    .createTable('host_change')
    .addColumn('host_id', 'integer', (c) => c.notNull().references('host.id').onDelete('cascade'))
    .addColumn('ended', sql.raw(columns.long), (c) => c.notNull())
    .addColumn('task_id', 'integer', (c) => c.notNull())
    .addColumn('template_id', 'integer', (c) => c.notNull())
    .addColumn('count', 'integer', (c) => c.notNull())
    .addColumn('changes', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('host_change_of', ['host_id', 'ended', 'task_id'])
    .execute();
};
