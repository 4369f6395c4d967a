import { z } from 'zod';
import { Id, Moment } from '../fields.ts';
import { HostStats } from './result.ts';

/** An entry of a host's history with its task. The id is null after the task was deleted. */
export const HostMoment = z.object({ time: Moment, task_id: Id.nullable() });
export type HostMoment = z.infer<typeof HostMoment>;

/** The history of one host across all runs of a project. Dry runs do not count. */
export const HostSummary = z.object({
  id: Id,
  host: z.string(),
  last_success: HostMoment.nullable().describe('When a playbook last finished on the host without a failure.'),
  last_change: HostMoment.nullable().describe('When a playbook last changed the host.'),
  last_failure: HostMoment.nullable().describe('When a playbook last failed on the host or could not reach it.'),
});
export type HostSummary = z.infer<typeof HostSummary>;

export const HostList = z.object({
  first: z.int(),
  total: z.int().describe('Number of matching hosts.'),
  hosts: z.array(HostSummary),
});
export type HostList = z.infer<typeof HostList>;

/** Maximum number of stored runs of a host. */
export const MAX_HOST_RUNS = 10;

/** How the newest run of a template ended on one host. */
export const TemplateHost = z.object({
  host: z.string(),
  result: z.enum(['ok', 'failed', 'unreachable']).describe('How this run ended on the host.'),
  time: Moment.describe('When this run ended.'),
  task_id: Id.describe('The task of this run.'),
  version: z.string().nullable().describe('The version that it built or deployed; null without one.'),
});
export type TemplateHost = z.infer<typeof TemplateHost>;

/** Maximum number of hosts in `TemplateHosts`. */
export const MAX_TEMPLATE_HOSTS = 20_000;

export const TemplateHosts = z.object({
  last_task_id: Id.nullable().describe('The newest ended task of the template; null without one.'),
  hosts: z
    .array(TemplateHost)
    .describe(`The hosts that the newest tasks of the template ran on, by name; at most ${MAX_TEMPLATE_HOSTS}.`),
});
export type TemplateHosts = z.infer<typeof TemplateHosts>;

export const HostRun = z.object({ ...HostMoment.shape, ...HostStats.shape });
export type HostRun = z.infer<typeof HostRun>;

export const HostHistory = HostSummary.extend({
  runs: z.array(HostRun).describe('The last runs on the host, newest first.'),
});
export type HostHistory = z.infer<typeof HostHistory>;
