import { z } from 'zod';
import { Id, Moment } from '../fields.ts';
import { HostFactValues } from './fact.ts';
import { CommonCause, Failure } from './failure.ts';
import { HostHistory, HostRun, HostRunOutcome } from './host.ts';
import { SilentHosts } from './task.ts';

/** Days of the strip of a template on a host. */
export const HOST_DAYS = 30;

/** Runs of each template on a host that are kept. */
export const MAX_TEMPLATE_RUNS = 50;

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

/** The facts of a host, as they were in one or more runs. */
export const HostFacts = z.object({
  since: Moment.describe('When the first run that gathered these facts ended.'),
  since_task_id: Id.nullable().describe('Task of this run; null if it was deleted, or must not be seen.'),
  time: Moment.describe('When the last run that gathered the same facts ended.'),
  task_id: Id.nullable().describe('Task of this run; null if it was deleted, or must not be seen.'),
  facts: HostFactValues.describe('The facts by name.'),
});
export type HostFacts = z.infer<typeof HostFacts>;

export const HostFactVersions = z.object({
  versions: z.array(HostFacts).describe('The versions of the facts, the newest first; at most 50, and 1 MiB.'),
});
export type HostFactVersions = z.infer<typeof HostFactVersions>;

/** A step that changed a host. */
export const HostChange = z.object({
  template_id: Id,
  task_id: Id.nullable().describe('Null if the task was deleted.'),
  time: Moment.describe('When the run ended.'),
  step: z.string().describe('Name of the step.'),
  action: z.string().describe('Module of the step, as the playbook names it.'),
  target: z.string().describe('What it changed: a file, or the object that the module names; empty if unknown.'),
  line: z.int().describe('First log line of the result; 0 if it is unknown or the log was removed.'),
  diff: z.string().describe('The difference as text; empty if the run does not show differences.'),
});
export type HostChange = z.infer<typeof HostChange>;

export const HostChanges = z.object({
  first: z.int(),
  total: z.int().describe('Number of changes in the last 50 runs that changed the host.'),
  changes: z.array(HostChange).describe('The changes, those of the newest run first.'),
});
export type HostChanges = z.infer<typeof HostChanges>;

/** One host, as the caller may see it: runs of hidden templates do not count. */
export const HostPage = HostHistory.extend({
  last_contact: Moment.nullable().describe('When a run last reached the host; null for never.'),
  templates: z.array(HostTemplate).describe('The templates that ran on the host, the last run first.'),
  inventories: z
    .array(z.object({ id: Id, name: z.string() }))
    .describe('The inventories of the last runs of these templates, by name.'),
  groups: z.array(z.string()).describe('Its groups in the last run that reported them.'),
  facts: HostFacts.nullable().describe('Its facts in the last run that gathered them; null for none.'),
  change_count: z.int().describe('Number of changes in the last runs that changed it.'),
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
  line: z.int().describe('First log line of the failure on this host in that task; 0 if the log was removed.'),
});
export type HostFailure = z.infer<typeof HostFailure>;

export const HostFailures = z.object({
  failures: z.array(HostFailure).describe('The failures of the host in its kept runs, the last seen first.'),
});
export type HostFailures = z.infer<typeof HostFailures>;
