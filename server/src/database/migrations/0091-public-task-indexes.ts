import { type Kysely, sql } from 'kysely';

/** Adds indexes for the last ended tasks of a project, which feeds show, and for the last run of a template, which badges show. */
export const publicTaskIndexes = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create index task_ended on task (project_id, status, end_time, template_id)
    where end_time is not null`.execute(db);
  await sql`create index task_ended_run on task (template_id, id)
    where dry_run = 0 and end_time is not null`.execute(db);
};
