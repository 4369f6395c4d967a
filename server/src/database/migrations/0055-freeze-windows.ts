import { type Kysely, sql } from 'kysely';
import type { Capabilities } from '../dialects/capabilities.ts';

/** Adds freeze windows, the runs of schedules that they hold, and the tasks that were started in one nevertheless. */
export const freezeWindows = async (db: Kysely<unknown>, columns: Capabilities['columns']): Promise<void> => {
  await db.schema
    .createTable('freeze_window')
    .addColumn('id', sql.raw(columns.idOnce))
    .addColumn('project_id', 'integer', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('reason', 'text', (c) => c.notNull())
    .addColumn('template_id', 'integer', (c) => c.references('template.id').onDelete('cascade'))
    // An inventory or a label that is frozen is in use: its deletion would end the window unnoticed.
    .addColumn('inventory_id', 'integer', (c) => c.references('inventory.id'))
    .addColumn('label_id', 'integer', (c) => c.references('label.id'))
    .addColumn('starts_at', 'text')
    .addColumn('ends_at', 'text')
    .addColumn('cron_format', 'text', (c) => c.notNull())
    .addColumn('duration_seconds', 'integer')
    .addColumn('timezone', 'text', (c) => c.notNull())
    .addColumn('scheduled_runs', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('freeze_window_name')
    .on('freeze_window')
    .columns(['project_id', 'name'])
    .unique()
    .execute();
  for (const object of ['template', 'inventory', 'label'])
    await db.schema.createIndex(`freeze_window_${object}`).on('freeze_window').column(`${object}_id`).execute();
  for (const name of ['freeze_window', 'freeze_reason'])
    await db.schema
      .alterTable('task')
      .addColumn(name, 'text', (c) => c.notNull().defaultTo(''))
      .execute();
  for (const name of ['held_due', 'held_until'])
    await db.schema.alterTable('schedule').addColumn(name, 'text').execute();
  await sql`create index schedule_held on schedule (held_until) where held_until is not null`.execute(db);
};
