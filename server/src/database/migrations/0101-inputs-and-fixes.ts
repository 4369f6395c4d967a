import { type Kysely, sql } from 'kysely';

interface Row {
  readonly failure_id: number;
  readonly template_id: number;
  readonly project_id: number;
}

const COUNTED = sql`t.dry_run = 0 and (t.status = 'success' or (t.status = 'error'
  and exists (select 1 from task_failure counted where counted.task_id = t.id)))`;
/** Occurrences of a failure whose fixes are searched. */
const OCCURRENCES = 10;

/** The tasks that ran on one of the hosts, as far as the host history goes back. */
const tasksOn = async (db: Kysely<unknown>, projectId: number, hosts: readonly string[]): Promise<number[]> => {
  const found = await sql<{ runs: string }>`select runs from host
    where project_id = ${projectId} and host in (${sql.join(['', ...hosts])})`.execute(db);
  return found.rows.flatMap(({ runs }) =>
    (JSON.parse(runs) as { task_id: number | null }[]).flatMap(({ task_id }) => task_id ?? []),
  );
};

/** The task that ended a failure of a template last; undefined if none is known. */
const findFix = async (db: Kysely<unknown>, row: Row): Promise<number | undefined> => {
  const { failure_id, template_id, project_id } = row;
  const found = await sql<{ task_id: number; cluster: string }>`select o.task_id, o.cluster from task_failure o
    where o.failure_id = ${failure_id} and o.template_id = ${template_id}
    order by o.ended desc limit ${sql.lit(OCCURRENCES)}`.execute(db);
  for (const { task_id, cluster } of found.rows) {
    const { first_hosts: hosts } = JSON.parse(cluster) as { first_hosts: string[] };
    const tasks = (await tasksOn(db, project_id, hosts)).filter((task) => task > task_id);
    const fixes = await sql<{ id: number | null }>`select min(t.id) as id from task t
      where t.id in (${sql.join([0, ...tasks])}) and t.template_id = ${template_id} and ${COUNTED} and not exists
      (select 1 from task_failure o where o.task_id = t.id and o.failure_id = ${failure_id})`.execute(db);
    const fix = fixes.rows[0]?.id;
    if (fix) return fix;
  }
  return undefined;
};

/**
 * Adds digests of what tasks were given, and the task that fixed a failure of a template last. Failures that are fixed
 * get the task that earlier versions searched each time.
 */
export const inputsAndFixes = async (db: Kysely<unknown>): Promise<void> => {
  for (const name of ['inventory_digest', 'environment_digest'])
    await db.schema.alterTable('task').addColumn(name, 'text').execute();
  // Finds the newest runs of a template, whatever their options.
  await db.schema
    .createIndex('run_time_recent')
    .on('run_time')
    .columns(['template_id', 'succeeded', 'task_id'])
    .execute();
  await db.schema.alterTable('failure_template').addColumn('fixed_by', 'integer').execute();
  const { rows } = await sql<Row>`select l.failure_id, l.template_id, f.project_id from failure_template l
    join failure f on f.id = l.failure_id
    where exists (select 1 from task t where t.template_id = l.template_id and t.id > l.last_task_id)`.execute(db);
  for (const row of rows) {
    const fix = await findFix(db, row);
    if (fix !== undefined)
      await sql`update failure_template set fixed_by = ${fix}
        where failure_id = ${row.failure_id} and template_id = ${row.template_id}`.execute(db);
  }
};
