import { z } from 'zod';
import { Id, Moment } from '../fields.ts';
import { CommonCause, Failure } from './failure.ts';
import { HostHistory, HostRun } from './host.ts';
import { SilentHosts } from './task.ts';

/** Days of the strip of a template on a host. */
export const HOST_DAYS = 30;

/** Runs of each template on a host that are kept. */
export const MAX_TEMPLATE_RUNS = 50;

/** How a run ended on a host; `stopped` if it ended early without a failure or change there. */
export const HostRunOutcome = z.enum(['ok', 'changed', 'failed', 'unreachable', 'stopped']);
export type HostRunOutcome = z.infer<typeof HostRunOutcome>;

const outcome = HostRunOutcome.describe(
  'How it ended on the host: `stopped` if the run ended early without a failure or a change there.',
);

/** How the runs of one template ended on a host. Dry runs do not count. */
export const HostTemplate = z.object({
  template_id: Id,
  task_id: Id.nullable().describe('Task of the last run; null if it was deleted.'),
  time: Moment.describe('When the last run ended.'),
  outcome,
  changed: z.int().describe('Number of steps that changed the host in the last run.'),
  cause: CommonCause.nullable().describe('The common cause of the failure of the last run; null for others.'),
  title: z.string().describe('What failed in the last run, on one line; empty without a failure.'),
  line: z.int().describe('First log line of this failure; 0 without one.'),
  runs: z.int().describe('Number of runs on the host.'),
  days: z
    .array(HostRunOutcome.nullable())
    .describe(`The worst outcome of each of the last ${HOST_DAYS} days in UTC, today last; null without a run.`),
});
export type HostTemplate = z.infer<typeof HostTemplate>;

/** A running task in which the host has not answered for far longer than usual. */
export const SilentInTask = SilentHosts.pick({ name: true, line: true, since: true, usual_ms: true }).extend({
  task_id: Id,
  template_id: Id,
});
export type SilentInTask = z.infer<typeof SilentInTask>;

/** One host, as the caller may see it: runs of hidden templates do not count. */
export const HostPage = HostHistory.extend({
  last_contact: Moment.nullable().describe('When a run last reached the host; null for never.'),
  templates: z.array(HostTemplate).describe('The templates that ran on the host, the last run first.'),
  inventories: z
    .array(z.object({ id: Id, name: z.string() }))
    .describe('The inventories of the last runs of these templates, by name.'),
  silent: z.array(SilentInTask).describe('Running tasks in which the host has not answered for far longer than usual.'),
  run_count: z.int().describe('Number of runs on the host.'),
  failure_count: z.int().describe('Number of different failures in the runs that are kept.'),
});
export type HostPage = z.infer<typeof HostPage>;

/** One run on a host. */
export const HostTemplateRun = HostRun.extend({ template_id: Id, outcome });
export type HostTemplateRun = z.infer<typeof HostTemplateRun>;

export const HostRuns = z.object({
  first: z.int(),
  total: z.int().describe(`Number of kept runs: the last ${MAX_TEMPLATE_RUNS} of each template.`),
  runs: z.array(HostTemplateRun).describe('The runs, the newest first.'),
});
export type HostRuns = z.infer<typeof HostRuns>;

/** A failure of the project that a host had. */
export const HostFailure = z.object({
  failure: Failure.describe('The failure in the whole project.'),
  runs: z.int().describe('Number of kept runs with it on this host.'),
  time: Moment.describe('When the last of them ended.'),
  task_id: Id.nullable().describe('Task of the last of them; null if it was deleted.'),
  line: z.int().describe('First log line of the failure on this host in that task.'),
});
export type HostFailure = z.infer<typeof HostFailure>;

export const HostFailures = z.object({
  failures: z.array(HostFailure).describe('The failures of the host in its kept runs, the last seen first.'),
});
export type HostFailures = z.infer<typeof HostFailures>;
