import { z } from 'zod';
import { HostRecord, HostStats } from './result.ts';

const at = z.number().describe('Milliseconds since 1970.');
const line = z.int().describe('Number of its first log line.');
const end = z
  .number()
  .nullable()
  .describe('When the next one started, in milliseconds since 1970; null for the newest.');

/** Maximum number of hosts, steps and results in one response. */
export const MAX_RESULT_PAGE = 1000;

export const PlaySummary = z.object({
  play: z.int(),
  name: z.string(),
  line,
  at,
  end,
  hosts: z.int(),
  steps: z.int().describe('Number of steps so far.'),
  bad: z.int().describe('Failed and unreachable results that the playbook did not rescue or ignore.'),
});
export type PlaySummary = z.infer<typeof PlaySummary>;

/** The counts of all hosts of a step. Each result is counted once. */
export const StepCounts = z.object({
  ok: z.int(),
  changed: z.int(),
  failed: z.int(),
  ignored: z.int(),
  skipped: z.int(),
  unreachable: z.int(),
  rescued: z.int(),
});
export type StepCounts = z.infer<typeof StepCounts>;

export const StepSummary = z.object({
  step: z.int(),
  play: z.int(),
  name: z.string(),
  action: z.string(),
  handler: z.boolean(),
  path: z
    .string()
    .optional()
    .describe('File of the step in the repository, and its line, as in `roles/base/tasks/main.yml:18`.'),
  line,
  at,
  end,
  counts: StepCounts,
});
export type StepSummary = z.infer<typeof StepSummary>;

/** The summary of a run with any number of hosts. A host is counted for each result that it has at least once. */
export const RunSummary = z.object({
  results: z.int().describe('Number of stored records.'),
  complete: z.boolean().describe('True when the final counts are stored.'),
  recap_line: z.int().nullable().describe('Number of the log line of the final counts.'),
  recap_at: z.number().nullable().describe('Time of the final counts, in milliseconds since 1970.'),
  steps: z.int(),
  hosts: z.object({
    total: z.int(),
    ok: z.int().describe('Hosts without a failure that were always reachable.'),
    changed: z.int(),
    failed: z.int(),
    unreachable: z.int(),
    rescued: z.int(),
    ignored: z.int(),
    skipped: z.int(),
  }),
  failures: z.int().describe('Failed and unreachable results that the playbook did not rescue or ignore.'),
  plays: z.array(PlaySummary),
});
export type RunSummary = z.infer<typeof RunSummary>;

export const RunSteps = z.object({ first: z.int(), total: z.int(), steps: z.array(StepSummary) });
export type RunSteps = z.infer<typeof RunSteps>;

/** A filter for hosts with at least one such result. `ok` selects exactly the hosts that `trouble` does not. */
export const HostOutcome = z.enum([
  'ok',
  'trouble',
  'failed',
  'unreachable',
  'changed',
  'rescued',
  'ignored',
  'skipped',
]);
export type HostOutcome = z.infer<typeof HostOutcome>;

/**
 * Sort columns of the hosts of a run. Default: `trouble`, which has failed and unreachable hosts first. The order by
 * `number` stays the same while results are added.
 */
export const HostSort = z.enum([
  'trouble',
  'number',
  'host',
  'ok',
  'changed',
  'failures',
  'unreachable',
  'skipped',
  'rescued',
  'ignored',
]);
export type HostSort = z.infer<typeof HostSort>;

export const RunHost = z.object({
  number: z.int().describe('Number of the host in this run, from 1.'),
  host: z.string(),
  ...HostStats.shape,
  ms: z
    .int()
    .describe('Time that its steps took, in milliseconds, without the time in which it waited for other hosts.'),
  cells: z
    .string()
    .describe(
      'One letter for each step that was asked for: `o` ok, `c` changed, `f` failed, `i` ignored, `s` skipped, `u` unreachable, `r` rescued, `.` no result.',
    ),
});
export type RunHost = z.infer<typeof RunHost>;

export const RunHosts = z.object({
  first: z.int(),
  total: z.int().describe('Number of matching hosts.'),
  hosts: z.array(RunHost),
});
export type RunHosts = z.infer<typeof RunHosts>;

/** Results by their number among the matching ones, from 1. */
export const HostRecords = z.object({ first: z.int(), total: z.int(), records: z.array(HostRecord) });
export type HostRecords = z.infer<typeof HostRecords>;
