import type { FailureCluster, FailureClusters, FailureHosts } from '@signalbox/contract';
import type { Database, StateReader } from '../../database/database.ts';
import type { RunCluster } from '../../failures/cluster.ts';
import { type ClustersOfRun, type HostPage, pageOfLines } from '../../failures/run-clusters.ts';
import type { LogStore } from '../../logs/log-store.ts';
import { findFailures } from './failure.read-model.ts';
import { decodeHostLines } from './host-lines.ts';

export interface TaskOfClusters {
  readonly id: number;
  readonly projectId: number;
  readonly commit: string | null;
  readonly isLogRemoved: boolean;
}

interface Page {
  readonly first: number;
  readonly limit: number;
}

type Logs = Pick<LogStore, 'resultClusters' | 'clusterHosts'>;

/** The clusters that were stored when the task ended; undefined while they are only in the log. */
const storedClusters = async (db: StateReader, taskId: number): Promise<ClustersOfRun | undefined> => {
  const rows = await db.selectFrom('task_failure').select('cluster').where('task_id', '=', taskId).execute();
  if (rows.length === 0) return undefined;
  const clusters = rows.map(({ cluster }) => JSON.parse(cluster) as RunCluster);
  clusters.sort((a, b) => b.hosts - a.hosts || a.first.at - b.first.at);
  return { hosts: clusters.reduce((sum, { hosts }) => sum + hosts, 0), clusters };
};

/** The clusters of a task: those of its log, or the stored ones if the log was removed. */
export const clustersOfTask = async (
  { database, logs }: { readonly database: Database; readonly logs: Logs },
  task: TaskOfClusters,
  { first, limit }: Page,
  { hidden, now }: { readonly hidden: ReadonlySet<number>; readonly now: Date },
): Promise<FailureClusters> => {
  const db = database.read;
  const NONE: ClustersOfRun = { hosts: 0, clusters: [] };
  const found = (await storedClusters(db, task.id)) ?? (task.isLogRemoved ? NONE : await logs.resultClusters(task.id));
  const page = found.clusters.slice(first - 1, first - 1 + limit);
  const fingerprints = page.map(({ fingerprint }) => fingerprint);
  const ofProject = await findFailures(
    db,
    { projectId: task.projectId, hidden, now, fingerprints },
    { first: 1, limit: Math.max(1, page.length) },
  );
  const byFingerprint = new Map(ofProject.failures.map((failure) => [failure.fingerprint, failure]));
  const clusters = page.map((cluster): FailureCluster => {
    const failure = byFingerprint.get(cluster.fingerprint);
    if (!failure) return { ...cluster, failure_id: null, seen: null, remark: null };
    const { known_until, known_commit } = failure.remark;
    const known =
      (known_until !== null && known_until > now.toISOString()) ||
      (known_commit !== '' && known_commit === task.commit);
    return { ...cluster, failure_id: failure.id, seen: failure.seen, remark: { ...failure.remark, known } };
  });
  return { first, total: found.clusters.length, hosts: found.hosts, clusters };
};

/** The hosts of a cluster; undefined for an unknown one. */
export const hostsOfCluster = async (
  { database, logs }: { readonly database: Database; readonly logs: Logs },
  task: TaskOfClusters,
  fingerprint: string,
  page: HostPage,
): Promise<FailureHosts | undefined> => {
  const row = await database.read
    .selectFrom('task_failure')
    .innerJoin('failure', 'failure.id', 'task_failure.failure_id')
    .select('host_lines')
    .where('task_id', '=', task.id)
    .where('fingerprint', '=', fingerprint)
    .executeTakeFirst();
  if (row) return pageOfLines(decodeHostLines(row.host_lines), page);
  return task.isLogRemoved ? undefined : await logs.clusterHosts(task.id, fingerprint, page);
};
