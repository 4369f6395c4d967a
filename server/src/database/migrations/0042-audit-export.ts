import { type Kysely, sql } from 'kysely';
import type { Capabilities } from '../dialects/capabilities.ts';

/** Destinations of the audit export, and the events that each of them has not received. */
export const auditExport = async (db: Kysely<unknown>, columns: Capabilities['columns']): Promise<void> => {
  await db.schema
    .createTable('audit_destination')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('created', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('audit_entry')
    .addColumn('id', sql.raw(columns.idOnce))
    .addColumn('destination', 'text', (c) => c.notNull().references('audit_destination.name').onDelete('cascade'))
    // No foreign key: the event may be deleted with its project before it is sent.
    .addColumn('event_id', 'integer', (c) => c.notNull())
    .addColumn('entry', 'text', (c) => c.notNull())
    .addColumn('username', 'text', (c) => c.notNull())
    .addColumn('project_name', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('audit_entry_order').on('audit_entry').columns(['destination', 'id']).execute();
  await db.schema.createIndex('audit_entry_event').on('audit_entry').column('event_id').execute();
};
