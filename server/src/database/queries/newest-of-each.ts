import { type SqlBool, sql } from 'kysely';
import type { Database } from '../database.ts';

/**
 * Joins each template of a project with its newest tasks, by the index on template and id; the order is undefined.
 * PostgreSQL would read all tasks for a list of ids that depends on the template, and SQLite has no lateral join.
 * @param most maximum number of tasks for each template
 */
export const newestOfEach = ({ capabilities, read }: Database, projectId: number, most: number) => {
  const newest = capabilities.walksForRare
    ? sql<SqlBool>`task.id = any(array(
        select newest.id from task as newest where newest.template_id = any(array[template.id])
        order by newest.template_id desc, newest.id desc limit ${sql.lit(most)}))`
    : sql<SqlBool>`task.id in (
        select newest.id from task as newest where newest.template_id = template.id
        order by newest.id desc limit ${sql.lit(most)})`;
  return read
    .selectFrom('template')
    .innerJoin('task', (join) => join.on(newest))
    .where('template.project_id', '=', projectId);
};

/** The same for each schedule of a project, by the index on schedule and id. */
export const newestOfEachSchedule = ({ capabilities, read }: Database, projectId: number, most: number) => {
  const newest = capabilities.walksForRare
    ? sql<SqlBool>`task.id = any(array(
        select newest.id from task as newest where newest.schedule_id = any(array[schedule.id])
        order by newest.schedule_id desc, newest.id desc limit ${sql.lit(most)}))`
    : sql<SqlBool>`task.id in (
        select newest.id from task as newest where newest.schedule_id = schedule.id
        order by newest.id desc limit ${sql.lit(most)})`;
  return read
    .selectFrom('schedule')
    .innerJoin('task', (join) => join.on(newest))
    .where('schedule.project_id', '=', projectId);
};
