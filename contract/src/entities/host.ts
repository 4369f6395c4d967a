import { z } from 'zod';
import { Id, Moment } from '../fields.ts';
import { HostStats } from './result.ts';

/** A moment in a host's history and the task that made it; the id is null when that task is deleted. */
export const HostMoment = z.object({ time: Moment, task_id: Id.nullable() });
export type HostMoment = z.infer<typeof HostMoment>;

/** What all runs of a project did to one host. Dry runs count nothing. */
export const LedgerHost = z.object({
  id: Id,
  host: z.string(),
  last_success: HostMoment.nullable().describe('When a playbook last came to its end without a failure on it.'),
  last_change: HostMoment.nullable().describe('When a playbook last changed something on it.'),
  last_failure: HostMoment.nullable().describe('When a playbook last failed on it or could not reach it.'),
});
export type LedgerHost = z.infer<typeof LedgerHost>;

export const LedgerHosts = z.object({
  first: z.int(),
  total: z.int().describe('Hosts that fit what was asked for.'),
  hosts: z.array(LedgerHost),
});
export type LedgerHosts = z.infer<typeof LedgerHosts>;

/** Most runs of a host that are kept. */
export const MAX_HOST_RUNS = 10;

export const HostRun = z.object({ ...HostMoment.shape, ...HostStats.shape });
export type HostRun = z.infer<typeof HostRun>;

export const LedgerHostRuns = LedgerHost.extend({ runs: z.array(HostRun).describe('Its last runs, newest first.') });
export type LedgerHostRuns = z.infer<typeof LedgerHostRuns>;
