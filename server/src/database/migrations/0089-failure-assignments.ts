import type { Kysely } from 'kysely';

/** Adds who takes care of a failure. */
export const failureAssignments = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .alterTable('failure')
    .addColumn('assignee_id', 'integer', (c) => c.references('users.id').onDelete('set null'))
    .execute();
  for (const column of ['assigned_by', 'assignment_note'])
    await db.schema
      .alterTable('failure')
      .addColumn(column, 'text', (c) => c.notNull().defaultTo(''))
      .execute();
  await db.schema.alterTable('failure').addColumn('assigned_at', 'text').execute();
};
