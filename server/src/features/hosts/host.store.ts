import type { HostHistory, HostSummary } from '@signalbox/contract';
import { type Selectable, type SqlBool, sql } from 'kysely';
import type { Database, StateReader, StateTransaction } from '../../database/database.ts';
import type { HostTable } from '../../database/host.schema.ts';
import { type HostOfRun, type HostPast, runsOf, withRun } from './host-history.ts';

type HostRow = Selectable<HostTable>;
type Moment = 'last_success' | 'last_change' | 'last_failure';
const MOMENTS: readonly Moment[] = ['last_success', 'last_change', 'last_failure'];

/** Adds runs to the histories of at most 200 different hosts. Must not run concurrently with another call. */
export const writeHosts = async (
  tx: StateTransaction,
  projectId: number,
  runs: readonly (HostOfRun & { readonly host: string })[],
): Promise<void> => {
  const rows = await tx
    .selectFrom('host')
    .selectAll()
    .where('project_id', '=', projectId)
    .where(
      'host',
      'in',
      runs.map(({ host }) => host),
    )
    .execute();
  const known = new Map(rows.map((row) => [row.host, row]));
  const values = runs.map((run) => {
    const { id: _, ...past } = known.get(run.host) ?? { id: 0 };
    return { ...withRun(past as Partial<HostPast>, run), project_id: projectId, host: run.host };
  });
  await tx
    .insertInto('host')
    .values(values)
    .onConflict((oc) =>
      oc.columns(['project_id', 'host']).doUpdateSet((eb) => ({
        last_success: eb.ref('excluded.last_success'),
        last_success_task: eb.ref('excluded.last_success_task'),
        last_change: eb.ref('excluded.last_change'),
        last_change_task: eb.ref('excluded.last_change_task'),
        last_failure: eb.ref('excluded.last_failure'),
        last_failure_task: eb.ref('excluded.last_failure_task'),
        runs: eb.ref('excluded.runs'),
      })),
    )
    .execute();
};

export interface HostList {
  readonly projectId: number;
  readonly first: number;
  readonly limit: number;
  readonly sort: 'host' | Moment;
  readonly order: 'asc' | 'desc';
  readonly name: string | undefined;
  readonly group: string | undefined;
  /** Templates whose tasks are not linked, and whose groups do not count, because the caller must not see them. */
  readonly hidden: ReadonlySet<number>;
}

/** Whether a host was in a group in the newest run that reported groups, of those that the caller may see. */
const isInGroup = (group: string, hidden: ReadonlySet<number>) => {
  const shown = hidden.size > 0 ? sql`and template_id not in (${sql.join([...hidden])})` : sql``;
  // A whole name has quotes around it in JSON. Unlike LIKE, replace() compares letters exactly on both databases.
  return sql<SqlBool>`exists (select 1 from (select group_names from host_template
    where host_id = host.id and group_names is not null ${shown} order by ended desc, template_id desc limit 1) newest
    where replace(group_names, ${JSON.stringify(group)}, '') <> group_names)`;
};

/** Lists hosts of a project, with their total number. Hosts without a run sort as the oldest. */
export const listHosts = async (
  { read: db, capabilities }: Database,
  { projectId, first, limit, sort, order, name, group, hidden }: HostList,
): Promise<{ total: number; hosts: HostSummary[] }> => {
  let query = db.selectFrom('host').where('project_id', '=', projectId);
  if (name !== undefined) query = query.where(capabilities.matches(sql.ref('host.host'), name, 'part'));
  if (group !== undefined) query = query.where(isInGroup(group, hidden));
  const counted = await query.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow();
  const rows = await query
    .selectAll()
    .orderBy(sort === 'host' ? sql`host` : sql`coalesce(${sql.ref(sort)}, '')`, order)
    .orderBy('host')
    .limit(limit)
    .offset(first - 1)
    .execute();
  const tasks = await tasksOf(db, rows, hidden);
  return { total: Number(counted.total), hosts: rows.map((row) => hostOf(row, tasks)) };
};

/**
 * Returns a host with its last runs; undefined for an unknown id.
 * @param hidden templates whose tasks the caller must not see; their runs are left out
 */
export const findHost = async (
  db: StateReader,
  projectId: number,
  id: number,
  hidden: ReadonlySet<number>,
): Promise<HostHistory | undefined> => {
  const row = await db
    .selectFrom('host')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) return undefined;
  const tasks = await tasksOf(db, [row], hidden);
  const runs = runsOf(row).map((run) => ({ ...run, task_id: idOf(run.task_id, run.time, tasks) }));
  // Whether the template of a deleted task is hidden is not known.
  const shown = hidden.size === 0 ? runs : runs.filter(({ task_id }) => task_id !== null);
  return { ...hostOf(row, tasks), runs: shown };
};

/** End times of tasks by id; deleted tasks are missing. */
type Ends = ReadonlyMap<number, string | null>;

const tasksOf = async (db: StateReader, rows: readonly HostRow[], hidden: ReadonlySet<number>): Promise<Ends> => {
  const ids = new Set(
    rows.flatMap((row) => [
      ...MOMENTS.map((moment) => row[`${moment}_task`]),
      ...(rows.length === 1 ? runsOf(row).map(({ task_id }) => task_id) : []),
    ]),
  );
  ids.delete(null);
  if (ids.size === 0) return new Map();
  const tasks = await db
    .selectFrom('task')
    .select(['id', 'end_time'])
    .where('id', 'in', [...ids] as number[])
    .$if(hidden.size > 0, (query) => query.where('template_id', 'not in', [...hidden]))
    .execute();
  return new Map(tasks.map(({ id, end_time }) => [id, end_time]));
};

/**
 * Returns the id only if the task still exists and has this end time: older databases may have reused the id of a
 * deleted task.
 */
const idOf = (id: number | null, time: string, tasks: Ends): number | null =>
  id !== null && tasks.get(id) === time ? id : null;

const hostOf = (row: HostRow, tasks: Ends): HostSummary => {
  const moment = (name: Moment) => {
    const time = row[name];
    return time === null ? null : { time, task_id: idOf(row[`${name}_task`], time, tasks) };
  };
  return {
    id: row.id,
    host: row.host,
    last_success: moment('last_success'),
    last_change: moment('last_change'),
    last_failure: moment('last_failure'),
  };
};
