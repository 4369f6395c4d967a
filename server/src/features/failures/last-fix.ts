import type { HostRun } from '@signalbox/contract';
import type { StateReader } from '../../database/database.ts';
import type { RunCluster } from '../../failures/cluster.ts';
import { isCountedRun } from './counted-runs.ts';

/** Tasks with the failure, and later tasks of their template, that are searched. */
const OCCURRENCES = 10;
const LATER_TASKS = 100;

interface FailureOfTemplate {
  readonly id: number;
  readonly template_id: number;
}

/** Tasks that ran on one of the hosts, as far as the host history goes back. */
const tasksOn = async (db: StateReader, projectId: number, hosts: readonly string[]): Promise<ReadonlySet<number>> => {
  const rows = await db
    .selectFrom('host')
    .select('runs')
    .where('project_id', '=', projectId)
    .where('host', 'in', ['', ...hosts])
    .execute();
  return new Set(rows.flatMap(({ runs }) => (JSON.parse(runs) as HostRun[]).flatMap(({ task_id }) => task_id ?? [])));
};

const lastFix = async (db: StateReader, projectId: number, failure: FailureOfTemplate): Promise<number | null> => {
  const occurrences = await db
    .selectFrom('task_failure')
    .innerJoin('task', 'task.id', 'task_failure.task_id')
    .select(['task_id', 'cluster'])
    .where('failure_id', '=', failure.id)
    .where('task_failure.template_id', '=', failure.template_id)
    .where(isCountedRun('task'))
    .orderBy('task_id', 'desc')
    .limit(OCCURRENCES)
    .execute();
  const oldest = occurrences.at(-1);
  if (!oldest) return null;
  const later = await db
    .selectFrom('task')
    .select('id')
    .where('template_id', '=', failure.template_id)
    .where('id', '>', oldest.task_id)
    .where(isCountedRun('task'))
    .orderBy('id', 'desc')
    .limit(LATER_TASKS)
    .execute();
  const withIt = new Set(occurrences.map(({ task_id }) => task_id));
  const candidates = later.map(({ id }) => id).filter((id) => !withIt.has(id));
  if (candidates.length === 0) return null;
  for (const { task_id, cluster } of occurrences) {
    const after = candidates.filter((id) => id > task_id);
    if (after.length === 0) continue;
    const ran = await tasksOn(db, projectId, (JSON.parse(cluster) as RunCluster).first_hosts);
    const fixes = after.filter((id) => ran.has(id));
    if (fixes.length > 0) return Math.min(...fixes);
  }
  return null;
};

/** For each failure the task that ended it last: the first one that ran on a host of the failure without it. */
export const lastFixes = async (
  db: StateReader,
  { projectId }: { readonly projectId: number },
  failures: readonly FailureOfTemplate[],
): Promise<ReadonlyMap<number, number | null>> => {
  const fixes = new Map<number, number | null>();
  for (const failure of failures) fixes.set(failure.id, await lastFix(db, projectId, failure));
  return fixes;
};
