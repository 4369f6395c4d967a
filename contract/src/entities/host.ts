import { z } from 'zod';
import { Id, Moment } from '../fields.ts';
import { HostStats } from './result.ts';

/** How a run ended on a host; `stopped` if it ended early without a failure or change there. */
export const HostRunOutcome = z.enum(['ok', 'changed', 'failed', 'unreachable', 'stopped']);
export type HostRunOutcome = z.infer<typeof HostRunOutcome>;

/** The outcomes by which a list of hosts is filtered; `trouble` is `failed` or `unreachable`. */
export const HOST_STATES = ['trouble', ...HostRunOutcome.options] as const;
export type HostState = (typeof HOST_STATES)[number];

export const HOST_ORDERS = ['host', 'trouble', 'last_run', 'last_success', 'last_change', 'last_failure'] as const;
export type HostOrder = (typeof HOST_ORDERS)[number];

/** An entry of a host's history with its task. The id is null after the task was deleted. */
export const HostMoment = z.object({ time: Moment, task_id: Id.nullable() });
export type HostMoment = z.infer<typeof HostMoment>;

/** The history of one host across the runs of a project that the caller may see. Dry runs do not count. */
export const HostSummary = z.object({
  id: Id,
  host: z.string(),
  last_success: HostMoment.nullable().describe('When a playbook last finished on the host without a failure.'),
  last_change: HostMoment.nullable().describe('When a playbook last changed the host.'),
  last_failure: HostMoment.nullable().describe('When a playbook last failed on the host or could not reach it.'),
  last_run: HostMoment.nullable().describe('When the last run on the host ended.'),
  vanished_since: Moment.nullable().describe(
    'When a listing of the last inventory that had the host no longer had it; null if an inventory has it, or this is not known.',
  ),
});
export type HostSummary = z.infer<typeof HostSummary>;

/** A host in a list, with how its templates last ended. With the filter of a template, only this one counts. */
export const ListedHost = HostSummary.extend({
  outcome: HostRunOutcome.nullable().describe('The worst of the last outcomes of its templates; null without one.'),
  template_count: z.int().describe('Number of templates that ran on it.'),
  failed_count: z.int().describe('Number of them whose last run failed on it, or could not reach it.'),
});
export type ListedHost = z.infer<typeof ListedHost>;

export const HostChoices = z.object({
  groups: z.array(z.string()).describe('Groups that runs reported of the hosts, the most frequent first; at most 100.'),
  values: z.array(z.string()).describe('Values of the fact that runs reported, the most frequent first; at most 100.'),
});
export type HostChoices = z.infer<typeof HostChoices>;

export const HostList = z.object({
  first: z.int(),
  total: z.int().describe('Number of matching hosts.'),
  hosts: z.array(ListedHost),
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
