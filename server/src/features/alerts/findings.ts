import type { HostRecords, RunHosts, RunSteps } from '@signalbox/contract';
import { brief } from '../../brief.ts';
import type { ClustersOfRun } from '../../failures/run-clusters.ts';
import type { Findings, TaskAlertInput } from './alert-input.ts';
import { NO_FINDINGS } from './alert-input.ts';

/** Reads the results of a run. */
export interface RunResults {
  /** Hosts that failed or were unreachable, sorted by the severity of the failure. */
  readonly badHosts: (taskId: number, limit: number) => Promise<RunHosts>;
  readonly failures: (taskId: number, limit: number) => Promise<HostRecords>;
  readonly clusters: (taskId: number) => Promise<ClustersOfRun>;
  readonly steps: (taskId: number, first: number, limit: number) => Promise<RunSteps>;
}

/** Maximum number of named hosts and failures. */
const HOSTS = 10;
const FAILURES = 3;

/** Reads details of a failure from the results of a run; empty for a run that succeeded. */
export const findingsOf = async ({ task }: TaskAlertInput, results: RunResults): Promise<Findings> => {
  if (task.status !== 'error') return NO_FINDINGS;
  const { total, hosts } = await results.badHosts(task.id, HOSTS);
  const { records } = await results.failures(task.id, 1);
  const [first] = records;
  const { clusters } = await results.clusters(task.id);
  const failures = clusters.slice(0, FAILURES).map(({ fingerprint, result, cause, title, step, hosts: count }) => ({
    ...{ fingerprint, result, cause, title: brief(title), step: brief(step, 255), hosts: count },
  }));
  const named = {
    ...{ hosts: hosts.map(({ host }) => brief(host, 255)), hosts_total: total },
    ...{ failures, failures_total: clusters.length },
  };
  if (!first) return { ...named, first_error: null };
  const { steps } = await results.steps(task.id, first.step, 1);
  return {
    ...named,
    first_error: {
      host: brief(first.host, 255),
      step: brief(steps[0]?.name ?? '', 255),
      message: brief(first.message),
    },
  };
};
