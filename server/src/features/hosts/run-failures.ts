import type { ClustersOfRun, HostPage } from '../../failures/run-clusters.ts';
import type { HostFailed } from './host-template.ts';

/** Hosts of a cluster whose failure is noted. */
const MAX_HOSTS = 20_000;

/** Reads the failures of a run. */
export interface RunFailures {
  readonly clusters: (taskId: number) => Promise<ClustersOfRun>;
  readonly hosts: (
    taskId: number,
    fingerprint: string,
    page: HostPage,
  ) => Promise<{ readonly hosts: readonly { readonly host: string; readonly line: number }[] } | undefined>;
}

/** Returns what failed on each host of a run: of several failures, the one with the most hosts. */
export const failuresByHost = async (
  { clusters, hosts }: RunFailures,
  taskId: number,
): Promise<ReadonlyMap<string, HostFailed>> => {
  const failed = new Map<string, HostFailed>();
  for (const { fingerprint, cause, title } of (await clusters(taskId)).clusters) {
    const page = await hosts(taskId, fingerprint, { first: 1, limit: MAX_HOSTS });
    for (const { host, line } of page?.hosts ?? [])
      if (!failed.has(host)) failed.set(host, { fingerprint, cause, title, line });
  }
  return failed;
};
