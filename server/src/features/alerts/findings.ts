import type { HostRecords, RunHosts, RunSteps } from '@signalbox/contract';
import { brief } from '../../brief.ts';
import type { AlertFacts, Findings } from './alert-facts.ts';
import { NO_FINDINGS } from './alert-facts.ts';

/** What is asked of the results of a run. */
export interface RunResults {
  /** Hosts that failed or could not be reached, by trouble. */
  readonly badHosts: (taskId: number, limit: number) => Promise<RunHosts>;
  readonly failures: (taskId: number, limit: number) => Promise<HostRecords>;
  readonly steps: (taskId: number, first: number, limit: number) => Promise<RunSteps>;
}

/** Hosts that are named; the others are counted. */
const HOSTS = 10;
/** Looks into the results of a run for what people want to know first; nothing for one that succeeded. */
export const findingsOf = async ({ task }: AlertFacts, results: RunResults): Promise<Findings> => {
  if (task.status !== 'error') return NO_FINDINGS;
  const { total, hosts } = await results.badHosts(task.id, HOSTS);
  const { records } = await results.failures(task.id, 1);
  const [first] = records;
  const named = { hosts: hosts.map(({ host }) => brief(host, 255)), hosts_total: total };
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
