import type { FailureCluster, FailureClusters, FailureHosts } from '@signalbox/contract';
import type { Database, StateReader } from '../../database/database.ts';
import type { RunCluster } from '../../failures/cluster.ts';
import { type ClustersOfRun, type HostPage, pageOfLines } from '../../failures/run-clusters.ts';
import type { LogStore } from '../../logs/log-store.ts';
import { findFailures } from './failure.read-model.ts';
import { decodeHostLines } from './host-lines.ts';
import { isKnown } from './known-failure.ts';

export interface TaskOfClusters {
  readonly id: number;
  readonly projectId: number;
  readonly commit: string | null;
}

interface Page {
  readonly first: number;
  readonly limit: number;
}

interface Sources {
  readonly database: Database;
  readonly logs: Pick<LogStore, 'resultClusters' | 'clusterHosts'>;
}

/** The clusters that were stored when the task ended. */
const storedClusters = async (db: StateReader, taskId: number): Promise<ClustersOfRun> => {
  const rows = await db
    .selectFrom('task_failure')
    .select(['cluster', 'host_lines'])
    .where('task_id', '=', taskId)
    .execute();
  const clusters = rows.map(({ cluster }) => JSON.parse(cluster) as RunCluster);
  clusters.sort((a, b) => b.hosts - a.hosts || a.first.at - b.first.at);
  const names = new Set(rows.flatMap(({ host_lines }) => decodeHostLines(host_lines).map(([host]) => host)));
  // Of a larger cluster not all hosts are stored.
  return { hosts: Math.max(names.size, ...clusters.map(({ hosts }) => hosts)), clusters };
};

/** The clusters of the log. Stored ones can be incomplete, because the oldest failures of a project are deleted. */
const findClusters = async (
  { database, logs }: Sources,
  { id }: Pick<TaskOfClusters, 'id'>,
): Promise<ClustersOfRun> => {
  const ofLog = await logs.resultClusters(id);
  return ofLog.clusters.length > 0 ? ofLog : await storedClusters(database.read, id);
};

/** The clusters of a task: those of its log, or the stored ones if its results were removed. */
export const clustersOfTask = async (
  sources: Sources,
  task: TaskOfClusters,
  { first, limit }: Page,
  { hidden, now }: { readonly hidden: ReadonlySet<number>; readonly now: Date },
): Promise<FailureClusters> => {
  const found = await findClusters(sources, task);
  const page = found.clusters.slice(first - 1, first - 1 + limit);
  const fingerprints = page.map(({ fingerprint }) => fingerprint);
  const ofProject = await findFailures(
    sources.database.read,
    { projectId: task.projectId, hidden, now, fingerprints },
    { first: 1, limit: Math.max(1, page.length) },
  );
  const byFingerprint = new Map(ofProject.failures.map((failure) => [failure.fingerprint, failure]));
  const clusters = page.map((cluster): FailureCluster => {
    const failure = byFingerprint.get(cluster.fingerprint);
    if (!failure) return { ...cluster, failure_id: null, seen: null, remark: null };
    const known = isKnown(failure.remark, task.commit, now);
    return { ...cluster, failure_id: failure.id, seen: failure.seen, remark: { ...failure.remark, known } };
  });
  return { first, total: found.clusters.length, hosts: found.hosts, clusters };
};

/** The hosts of a cluster; undefined for an unknown one. */
export const hostsOfCluster = async (
  { database, logs }: Sources,
  task: TaskOfClusters,
  fingerprint: string,
  page: HostPage,
): Promise<FailureHosts | undefined> => {
  const ofLog = await logs.clusterHosts(task.id, fingerprint, page);
  if (ofLog) return ofLog;
  const row = await database.read
    .selectFrom('task_failure')
    .innerJoin('failure', 'failure.id', 'task_failure.failure_id')
    .select('host_lines')
    .where('task_id', '=', task.id)
    .where('fingerprint', '=', fingerprint)
    .executeTakeFirst();
  return row && pageOfLines(decodeHostLines(row.host_lines), page);
};
