import type { RunHosts } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import type { Database, StateReader } from '../../database/database.ts';
import type { FailureTemplateTable } from '../../database/failure.schema.ts';
import { unfixedFailures } from '../../failures/may-fix.ts';
import { isCountedRun } from './counted-runs.ts';
import { decodeHosts } from './host-lines.ts';
import { type HostsOfRun, openAfter } from './open-hosts.ts';

export interface FixDeps {
  readonly database: Database;
  /** Returns the hosts of a run by name. */
  readonly runHosts: (taskId: number, first: number, limit: number) => Promise<Pick<RunHosts, 'hosts'>>;
}

/** A failure that a run may have fixed, with the last task before the run that had it. */
interface Occurrence {
  readonly failure_id: number;
  readonly template_id: number;
  readonly task_id: number;
  readonly row: Pick<
    Selectable<FailureTemplateTable>,
    'last_task_id' | 'fixed_by' | 'open_hosts' | 'open_count' | 'open_after'
  >;
  /** Whether the run itself has the failure. */
  readonly isOwn: boolean;
}

/** What a run changed: the hosts on which a failure is not fixed after it. */
export interface FixChange extends Occurrence {
  readonly open: readonly string[];
}

/** Hosts per page, and failures whose hosts are read between other work. */
const PAGE = 1000;
const CHUNK = 20;

/** An ended run that may have fixed failures of its template. */
export interface Run {
  readonly templateId: number;
  readonly taskId: number;
  /** Only these failures count. Undefined for all. */
  readonly failures?: ReadonlySet<number>;
}

/** The failures of a template that a run may have fixed, each with the last task before the run that had it. */
const findOccurrences = async (db: StateReader, { templateId, taskId, failures }: Run): Promise<Occurrence[]> => {
  const rows = await unfixedFailures(db, templateId, taskId)
    .leftJoin('task_failure as own', (join) =>
      join.onRef('own.failure_id', '=', 'l.failure_id').on('own.task_id', '=', taskId),
    )
    .select(['l.failure_id', 'l.template_id', 'own.task_id as own'])
    .select(['l.last_task_id', 'l.fixed_by', 'l.open_hosts', 'l.open_count', 'l.open_after'])
    .$if(failures !== undefined, (query) => query.where('l.failure_id', 'in', [0, ...(failures ?? [])]))
    .execute();
  const found: Occurrence[] = [];
  for (const { failure_id, template_id, own, ...row } of rows) {
    const task_id =
      row.last_task_id < taskId ? row.last_task_id : await occurrenceBefore(db, { failure_id, template_id }, taskId);
    if (task_id !== undefined) found.push({ failure_id, template_id, task_id, row, isOwn: own !== null });
  }
  return found;
};

const occurrenceBefore = async (
  db: StateReader,
  { failure_id, template_id }: Pick<Occurrence, 'failure_id' | 'template_id'>,
  taskId: number,
): Promise<number | undefined> => {
  const row = await db
    .selectFrom('task_failure')
    .innerJoin('task', 'task.id', 'task_failure.task_id')
    .select('task_failure.task_id')
    .where('failure_id', '=', failure_id)
    .where('task_failure.template_id', '=', template_id)
    .where('task_failure.task_id', '<', taskId)
    .where(isCountedRun('task'))
    .orderBy('task_failure.task_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.task_id;
};

/** The hosts with a failure in a task, or in the last one before it that still exists. Undefined if there is none. */
const hostsWith = async (db: StateReader, occurrence: Occurrence, taskId: number): Promise<string[] | undefined> => {
  const row = await db
    .selectFrom('task_failure')
    .select('host_lines')
    .where('failure_id', '=', occurrence.failure_id)
    .where('template_id', '=', occurrence.template_id)
    .where('task_id', '<=', taskId)
    .orderBy('task_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && decodeHosts(row.host_lines);
};

/** The hosts that a run could reach, and those that it could not. */
const hostsOfRun = async ({ runHosts }: FixDeps, taskId: number): Promise<HostsOfRun> => {
  const found = { reached: new Set<string>(), unreachable: new Set<string>() };
  for (let first = 1; ; first += PAGE) {
    const { hosts } = await runHosts(taskId, first, PAGE);
    for (const { host, unreachable } of hosts) found[unreachable === 0 ? 'reached' : 'unreachable'].add(host);
    if (hosts.length < PAGE) return found;
  }
};

/** The limits of tasks by their ids. */
const limitsOf = async (db: StateReader, ids: readonly number[]): Promise<ReadonlyMap<number, string>> => {
  const rows = await db
    .selectFrom('task')
    .select(['id', 'limit_hosts'])
    .where('id', 'in', [...new Set(ids)])
    .execute();
  return new Map(rows.map(({ id, limit_hosts }) => [id, limit_hosts]));
};

/** How a run changed the hosts on which a failure is not fixed. Undefined if it did not. */
const changeOf = async (
  deps: FixDeps,
  run: Run,
  occurrence: Occurrence,
  hosts: HostsOfRun,
  limits: ReadonlyMap<number, string>,
): Promise<FixChange | undefined> => {
  const { read } = deps.database;
  const { row, task_id, isOwn } = occurrence;
  const stored = row.open_after !== null && row.open_after >= task_id ? row.open_hosts : null;
  const before = stored === null ? await hostsWith(read, occurrence, task_id) : decodeHosts(stored);
  if (before === undefined) return hosts.reached.size > 0 && !isOwn ? { ...occurrence, open: [] } : undefined;
  const limit = limits.get(run.taskId) ?? '';
  const isLimited = limit !== '' && (stored !== null || limit !== limits.get(task_id));
  if (isOwn) {
    const wasFixed = row.fixed_by !== null && row.fixed_by > task_id;
    if (!isLimited || wasFixed || row.last_task_id !== run.taskId) return undefined;
    const own = (await hostsWith(read, occurrence, run.taskId)) ?? [];
    const open = [...new Set([...own, ...openAfter(before, hosts, { isLimited })])];
    return open.length > own.length ? { ...occurrence, open } : undefined;
  }
  const isElsewhere = !isLimited && !before.some((host) => hosts.reached.has(host) || hosts.unreachable.has(host));
  const open =
    isElsewhere && (await ranOnOthers(deps, task_id, before, hosts)) ? [] : openAfter(before, hosts, { isLimited });
  return open.length < before.length ? { ...occurrence, open } : undefined;
};

/** Whether a run has all other hosts of a task with a failure: then those with the failure were removed. */
const ranOnOthers = async (
  deps: FixDeps,
  taskId: number,
  failed: readonly string[],
  { reached, unreachable }: HostsOfRun,
): Promise<boolean> => {
  const earlier = await hostsOfRun(deps, taskId);
  const others = earlier.reached.union(earlier.unreachable).difference(new Set(failed));
  return others.size > 0 && others.isSubsetOf(reached.union(unreachable));
};

/** What a run changed about the failures that its template had before. */
export const findFixChanges = async (deps: FixDeps, run: Run): Promise<FixChange[]> => {
  const { read } = deps.database;
  const occurrences = await findOccurrences(read, run);
  if (occurrences.length === 0) return [];
  const hosts = await hostsOfRun(deps, run.taskId);
  const limits = await limitsOf(read, [run.taskId, ...occurrences.map(({ task_id }) => task_id)]);
  const changes: FixChange[] = [];
  for (const [at, occurrence] of occurrences.entries()) {
    if (at % CHUNK === CHUNK - 1) await new Promise(setImmediate);
    // The run was stored before.
    if (occurrence.row.open_after === run.taskId) continue;
    const change = await changeOf(deps, run, occurrence, hosts, limits);
    if (change) changes.push(change);
  }
  return changes;
};
