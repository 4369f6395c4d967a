import { type Kysely, sql } from 'kysely';
import type { Capabilities } from '../dialects/capabilities.ts';

/** Adds labels of projects and the labels of each template. */
export const labels = async (db: Kysely<unknown>, columns: Capabilities['columns']): Promise<void> => {
  await db.schema
    .createTable('label')
    .addColumn('id', sql.raw(columns.idOnce))
    .addColumn('project_id', 'integer', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('colour', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('label_name').on('label').columns(['project_id', 'name']).unique().execute();
  await db.schema
    .createTable('template_label')
    .addColumn('template_id', 'integer', (c) => c.notNull().references('template.id').onDelete('cascade'))
    .addColumn('label_id', 'integer', (c) => c.notNull().references('label.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('template_label_key', ['template_id', 'label_id'])
    .execute();
  await db.schema.createIndex('template_label_label').on('template_label').column('label_id').execute();
};
