import { type Kysely, sql } from 'kysely';
import type { Capabilities } from '../dialects/capabilities.ts';

const TEXTS = ['note', 'note_by', 'known_commit', 'known_by'];
const MOMENTS = ['note_at', 'known_until', 'known_at'];

/** Adds the failures of projects and of tasks. */
export const failures = async (db: Kysely<unknown>, columns: Capabilities['columns']): Promise<void> => {
  let failure = db.schema
    .createTable('failure')
    .addColumn('id', sql.raw(columns.idOnce))
    .addColumn('project_id', 'integer', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addColumn('fingerprint', 'text', (c) => c.notNull())
    .addColumn('result', 'text', (c) => c.notNull())
    .addColumn('cause', 'text');
  for (const name of ['title', 'action', 'step']) failure = failure.addColumn(name, 'text', (c) => c.notNull());
  for (const name of TEXTS) failure = failure.addColumn(name, 'text', (c) => c.notNull().defaultTo(''));
  for (const name of MOMENTS) failure = failure.addColumn(name, 'text');
  await failure.execute();
  await db.schema
    .createIndex('failure_fingerprint')
    .on('failure')
    .columns(['project_id', 'fingerprint'])
    .unique()
    .execute();

  let ofTemplate = db.schema
    .createTable('failure_template')
    .addColumn('failure_id', 'integer', (c) => c.notNull().references('failure.id').onDelete('cascade'))
    .addColumn('template_id', 'integer', (c) => c.notNull().references('template.id').onDelete('cascade'));
  for (const name of ['times', 'streak', 'first_task_id', 'last_task_id', 'hosts'])
    ofTemplate = ofTemplate.addColumn(name, 'integer', (c) => c.notNull());
  for (const name of ['since', 'last']) ofTemplate = ofTemplate.addColumn(name, 'text', (c) => c.notNull());
  await ofTemplate.addPrimaryKeyConstraint('failure_template_key', ['failure_id', 'template_id']).execute();
  await db.schema.createIndex('failure_template_of').on('failure_template').column('template_id').execute();

  await db.schema
    .createTable('task_failure')
    .addColumn('task_id', 'integer', (c) => c.notNull().references('task.id').onDelete('cascade'))
    .addColumn('failure_id', 'integer', (c) => c.notNull().references('failure.id').onDelete('cascade'))
    .addColumn('template_id', 'integer', (c) => c.notNull().references('template.id').onDelete('cascade'))
    .addColumn('ended', 'text', (c) => c.notNull())
    .addColumn('hosts', 'integer', (c) => c.notNull())
    .addColumn('cluster', 'text', (c) => c.notNull())
    .addColumn('host_lines', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('task_failure_key', ['task_id', 'failure_id'])
    .execute();
  await db.schema.createIndex('task_failure_seen').on('task_failure').columns(['failure_id', 'ended']).execute();
  await db.schema.createIndex('task_failure_template').on('task_failure').column('template_id').execute();
};
