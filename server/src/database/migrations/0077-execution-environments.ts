import type { Kysely } from 'kysely';

/**
 * Adds where the programs of runs come from, as JSON. Null means that of the project, for projects the default of the system,
 * and for tasks of earlier versions the programs of the runner.
 */
export const executionEnvironments = async (db: Kysely<unknown>): Promise<void> => {
  for (const table of ['template', 'project', 'task'])
    await db.schema.alterTable(table).addColumn('execution_environment', 'text').execute();
  await db.schema
    .alterTable('runner')
    .addColumn('environments', 'text', (c) => c.notNull().defaultTo('[]'))
    .execute();
};
