import { type Kysely, sql } from 'kysely';

const COUNTED = sql`t.dry_run = 0 and (t.status = 'success' or (t.status = 'error'
  and exists (select 1 from task_failure counted where counted.task_id = t.id)))`;
const LATER = sql`from task t where t.template_id = failure_template.template_id
  and t.id > failure_template.last_task_id and ${COUNTED}`;

/**
 * Adds the hosts on which a failure is not fixed. Until now a failure no longer occurred when the last run of its template did not
 * have it: such a failure counts as fixed by that run.
 */
export const openHosts = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.alterTable('failure_template').addColumn('open_hosts', 'text').execute();
  await db.schema
    .alterTable('failure_template')
    .addColumn('open_count', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await sql`update failure_template set fixed_by = (select max(t.id) ${LATER})
    where (fixed_by is null or fixed_by < last_task_id) and exists (select 1 ${LATER})`.execute(db);
  await sql`update failure_template set open_count = hosts
    where fixed_by is null or fixed_by < last_task_id`.execute(db);
};
