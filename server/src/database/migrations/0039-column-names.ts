import type { Kysely } from 'kysely';

/** New names of renamed tables, by the names that backups of earlier versions have. */
export const RENAMED_TABLES: Readonly<Record<string, string>> = { question: 'runner_query' };

/** Columns of runner queries that have an index, by the name of the index. */
const QUERY_INDEXES: Readonly<Record<string, readonly string[]>> = {
  project: ['project_id'],
  user: ['user_id'],
  runner: ['runner_id', 'ended'],
  created: ['created'],
};

/** Gives tables and columns the names that the code uses for their content. */
export const columnNames = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.alterTable('runner').renameColumn('beats', 'heartbeats').execute();
  await db.schema.alterTable('server_keys').renameColumn('beats', 'heartbeats').execute();
  await db.schema.alterTable('alert').renameColumn('facts', 'input').execute();
  await db.schema.alterTable('question').renameTo('runner_query').execute();
  for (const [name, columns] of Object.entries(QUERY_INDEXES)) {
    await db.schema.dropIndex(`question_${name}`).execute();
    await db.schema
      .createIndex(`runner_query_${name}`)
      .on('runner_query')
      .columns([...columns])
      .execute();
  }
};
