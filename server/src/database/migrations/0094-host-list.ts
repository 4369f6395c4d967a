import { type Kysely, sql } from 'kysely';
import type { Capabilities } from '../dialects/capabilities.ts';

const MOMENTS = ['last_success', 'last_change', 'last_failure'];

/**
 * Adds what the list of hosts filters and sorts by. Its rows are short: the list reads those of thousands of hosts, while a row
 * of `host_template` has kilobytes.
 */
export const hostList = async (db: Kysely<unknown>, columns: Capabilities['columns']): Promise<void> => {
  const long = sql.raw<never>(columns.long);
  await db.schema
    .createTable('host_state')
    .addColumn('host_id', 'integer', (c) => c.notNull().references('host.id').onDelete('cascade'))
    .addColumn('template_id', 'integer', (c) => c.notNull().references('template.id').onDelete('cascade'))
    .addColumn('task_id', 'integer', (c) => c.notNull())
    .addColumn('ended', long, (c) => c.notNull())
    .addColumn('outcome', 'text', (c) => c.notNull())
    .addColumn('last_success', long)
    .addColumn('last_success_task', 'integer')
    .addColumn('last_change', long)
    .addColumn('last_change_task', 'integer')
    .addColumn('last_failure', long)
    .addColumn('last_failure_task', 'integer')
    .addColumn('groups_ended', long)
    .addColumn('facts_ended', long)
    .addPrimaryKeyConstraint('host_state_of', ['host_id', 'template_id'])
    .execute();
  // What the list sorts by is read from the index alone.
  await db.schema
    .createIndex('host_state_list')
    .on('host_state')
    .columns(['host_id', 'template_id', 'outcome', 'ended'])
    .execute();
  await sql`insert into host_state (host_id, template_id, task_id, ended, outcome)
    select host_id, template_id, task_id, ended, outcome from host_template`.execute(db);
  await db.schema
    .createIndex('host_moments')
    .on('host')
    .columns(['project_id', 'host', ...MOMENTS])
    .execute();
  await db.schema
    .createTable('host_group')
    .addColumn('host_id', 'integer', (c) => c.notNull().references('host.id').onDelete('cascade'))
    .addColumn('template_id', 'integer', (c) => c.notNull().references('template.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('host_group_of', ['host_id', 'template_id', 'name'])
    .execute();
  await db.schema
    .createTable('host_fact_value')
    .addColumn('host_id', 'integer', (c) => c.notNull().references('host.id').onDelete('cascade'))
    .addColumn('template_id', 'integer', (c) => c.notNull().references('template.id').onDelete('cascade'))
    .addColumn('fact', 'text', (c) => c.notNull())
    .addColumn('value', 'text', (c) => c.notNull())
    .addColumn('number', sql.raw<never>('double precision'))
    .addPrimaryKeyConstraint('host_fact_value_of', ['host_id', 'template_id', 'fact'])
    .execute();
  await db.schema
    .createIndex('host_fact_value_value')
    .on('host_fact_value')
    .columns(['fact', 'value', 'host_id', 'template_id'])
    .execute();
  // A template is deleted with its rows.
  await db.schema.createIndex('host_state_template').on('host_state').column('template_id').execute();
  await db.schema.createIndex('host_group_template').on('host_group').column('template_id').execute();
  await db.schema.createIndex('host_fact_value_template').on('host_fact_value').column('template_id').execute();
};
