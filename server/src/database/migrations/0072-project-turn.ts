import type { Kysely } from 'kysely';

/** Adds the turn of each project on each pool of runners, and the number of tasks that each runner has claimed. */
export const projectTurn = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('project_turn')
    .addColumn('pool', 'text', (c) => c.notNull())
    .addColumn('project_id', 'integer', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addColumn('lowest_turn', 'double precision', (c) => c.notNull())
    .addColumn('next_turn', 'double precision', (c) => c.notNull())
    .addPrimaryKeyConstraint('project_turn_key', ['pool', 'project_id'])
    .execute();
  await db.schema.createIndex('project_turn_project').on('project_turn').column('project_id').execute();
  await db.schema
    .alterTable('runner')
    .addColumn('claims', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
};
