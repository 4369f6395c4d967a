import { type Kysely, sql } from 'kysely';

/** Makes names of runners unique by appending the id to duplicates. */
export const runnerNames = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    update runner set name = name || ' ' || id
    where exists (select 1 from runner other where other.name = runner.name and other.id < runner.id)`.execute(db);
  await db.schema.createIndex('runner_name').on('runner').column('name').unique().execute();
};
