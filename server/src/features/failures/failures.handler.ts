import { LOCK } from '../../database/database.ts';
import type { RunCluster } from '../../failures/cluster.ts';
import type { ClustersOfRun, HostPage } from '../../failures/run-clusters.ts';
import { runByRun } from '../../outbox/one-by-one.ts';
import type { OutboxEntry } from '../../outbox/outbox.store.ts';
import type { OutboxHandler } from '../../outbox/outbox.ts';
import { type StoredCluster, storeClusters } from './failure.store.ts';
import { type FixDeps, storeFixes } from './failure-fix.store.ts';
import { encodeHostLines, MAX_STORED_HOSTS } from './host-lines.ts';

type Hosts = { readonly hosts: readonly { readonly host: string; readonly line: number }[] };

export interface FailuresDeps extends FixDeps {
  /** Returns the clusters of a run, and the hosts of one of them. */
  readonly clusters: (taskId: number) => Promise<ClustersOfRun>;
  readonly hosts: (taskId: number, fingerprint: string, page: HostPage) => Promise<Hosts | undefined>;
  /** Called when failures of a project were stored or fixed. */
  readonly onStored: (projectId: number) => void;
  readonly onError: (error: unknown) => void;
}

const storeRun = async (deps: FailuresDeps, entry: OutboxEntry): Promise<void> => {
  const { project_id, task_id } = entry;
  if (project_id === null) return;
  const { clusters } = await deps.clusters(task_id);
  if (clusters.length > 0) await storeFailures(deps, { ...entry, project_id }, clusters);
  const isChanged = await storeFixes(deps, task_id);
  if (clusters.length > 0 || isChanged) deps.onStored(project_id);
};

const storeFailures = async (
  { database, hosts }: FailuresDeps,
  { id, task_id, project_id, created: ended }: OutboxEntry & { readonly project_id: number },
  found: readonly RunCluster[],
): Promise<void> => {
  const stored: StoredCluster[] = [];
  for (const cluster of found) {
    const page = await hosts(task_id, cluster.fingerprint, { first: 1, limit: MAX_STORED_HOSTS });
    const lines = (page?.hosts ?? []).map(({ host, line }) => [host, line] as const);
    stored.push({ cluster, hostLines: encodeHostLines(lines) });
  }
  await database.write(async (tx) => {
    // The entry is missing if the project was deleted meanwhile, and the task if a user deleted it.
    const exists = await tx.selectFrom('outbox').select('id').where('id', '=', id).executeTakeFirst();
    const task = await tx.selectFrom('task').select('template_id').where('id', '=', task_id).executeTakeFirst();
    if (!exists || !task) return;
    await storeClusters(tx, { id: task_id, project_id, template_id: task.template_id, ended }, stored);
  }, LOCK.failures);
};

/** Stores the failure clusters of ended runs. */
export const failuresHandler = (deps: FailuresDeps): OutboxHandler => runByRun(deps, (entry) => storeRun(deps, entry));
