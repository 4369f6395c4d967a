import type { HostHistory } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import type { StateReader, StateTransaction } from '../../database/database.ts';
import type { HostTable } from '../../database/host.schema.ts';
import { type HostOfRun, type HostPast, runsOf, withRun } from './host-history.ts';
import { readMoments } from './list/host-moments.ts';

type HostRow = Selectable<HostTable>;

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

/**
 * Returns a host with its last runs; undefined for an unknown id, and if only hidden templates ran on it.
 * @param hidden templates that the caller must not see; their runs are left out
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
  const moments = (await readMoments(db, [id], hidden)).get(id);
  if (!moments || (hidden.size > 0 && moments.last_run === null)) return undefined;
  const tasks = await tasksOf(db, row, hidden);
  const runs = runsOf(row).map((run) => ({ ...run, task_id: idOf(run.task_id, run.time, tasks) }));
  // Whether the template of a deleted task is hidden is not known.
  const shown = hidden.size === 0 ? runs : runs.filter(({ task_id }) => task_id !== null);
  return { ...moments, runs: shown };
};

/** End times of tasks by id; deleted tasks are missing. */
type Ends = ReadonlyMap<number, string | null>;

const tasksOf = async (db: StateReader, row: HostRow, hidden: ReadonlySet<number>): Promise<Ends> => {
  const ids = runsOf(row).flatMap(({ task_id }) => task_id ?? []);
  if (ids.length === 0) return new Map();
  const tasks = await db
    .selectFrom('task')
    .select(['id', 'end_time'])
    .where('id', 'in', ids)
    .$if(hidden.size > 0, (query) => query.where('template_id', 'not in', [...hidden]))
    .execute();
  return new Map(tasks.map(({ id: task, end_time }) => [task, end_time]));
};

/**
 * Returns the id only if the task still exists and has this end time: older databases may have reused the id of a
 * deleted task.
 */
const idOf = (id: number | null, time: string, tasks: Ends): number | null =>
  id !== null && tasks.get(id) === time ? id : null;
