import { type Kysely, sql } from 'kysely';

/** Adds what limits which tasks a runner takes, and what it last reported. */
export const runnerPools = async (db: Kysely<unknown>): Promise<void> => {
  const addText = async (table: string, column: string, initial: string): Promise<void> =>
    await db.schema
      .alterTable(table)
      .addColumn(column, 'text', (c) => c.notNull().defaultTo(initial))
      .execute();
  await addText('runner', 'description', '');
  await addText('runner', 'version', '');
  await addText('runner', 'apps', '[]');
  for (const column of ['paused', 'projects_limited'])
    await db.schema
      .alterTable('runner')
      .addColumn(column, 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
  for (const column of ['run_as', 'last_contact', 'drain_process'])
    await db.schema.alterTable('runner').addColumn(column, 'text').execute();
  await addText('project', 'runner_tags', '[]');
  await addText('inventory', 'runner_tags', '[]');
  await db.schema
    .createTable('runner_project')
    .addColumn('runner_id', 'integer', (c) => c.notNull().references('runner.id').onDelete('cascade'))
    .addColumn('project_id', 'integer', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('runner_project_key', ['runner_id', 'project_id'])
    .execute();
  await db.schema.createIndex('runner_project_project').on('runner_project').column('project_id').execute();
  // An expression, so that only the query for the last tasks of a runner uses it. A claim counts the current tasks of a
  // runner, and would read all of its tasks with an index of the column.
  await sql`create index task_of_runner on task ((coalesce(runner_id, 0)), id)
    where runner_id is not null`.execute(db);
};
