import { z } from 'zod';
import { HostRecord, HostStats } from './result.ts';

const at = z.number().describe('Milliseconds since 1970.');
const line = z.int().describe('Number of the first log line that belongs to it.');
const end = z.number().nullable().describe('When the next one began, in milliseconds since 1970; null for the newest.');

/** Most hosts, steps and results that one call answers. */
export const MAX_RESULT_PAGE = 1000;

export const PlaySummary = z.object({
  play: z.int(),
  name: z.string(),
  line,
  at,
  end,
  hosts: z.int(),
  steps: z.int().describe('How many steps it has so far.'),
  bad: z.int().describe('Results of it that failed or found the host unreachable, and were not taken care of.'),
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
  line,
  at,
  end,
  counts: StepCounts,
});
export type StepSummary = z.infer<typeof StepSummary>;

/** A run in few numbers, however many hosts it has. A host counts where it has at least one such result. */
export const RunSummary = z.object({
  results: z.int().describe('Records stored so far.'),
  complete: z.boolean().describe('True when the final counts are there.'),
  recap_line: z.int().nullable().describe('Number of the log line of the final counts.'),
  recap_at: z.number().nullable().describe('When the final counts came, in milliseconds since 1970.'),
  steps: z.int(),
  hosts: z.object({
    total: z.int(),
    ok: z.int().describe('Without a failure, and always reached.'),
    changed: z.int(),
    failed: z.int(),
    unreachable: z.int(),
    rescued: z.int(),
    ignored: z.int(),
    skipped: z.int(),
  }),
  failures: z.int().describe('Results that failed or found the host unreachable, and were not taken care of.'),
  plays: z.array(PlaySummary),
});
export type RunSummary = z.infer<typeof RunSummary>;

export const RunSteps = z.object({ first: z.int(), total: z.int(), steps: z.array(StepSummary) });
export type RunSteps = z.infer<typeof RunSteps>;

/** Which hosts: those that have at least one such result; `ok` and `trouble` are each other's opposite. */
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

/** Columns that the hosts of a run can be sorted by; `trouble`, the default, has failed and unreachable hosts first. */
export const HostSort = z.enum([
  'trouble',
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
  number: z.int().describe('Names the host within this run, from 1.'),
  host: z.string(),
  ...HostStats.shape,
  cells: z
    .string()
    .describe(
      'One letter for each step that was asked for: `o` ok, `c` changed, `f` failed, `i` ignored, `s` skipped, `u` unreachable, `r` rescued, `.` no result.',
    ),
});
export type RunHost = z.infer<typeof RunHost>;

export const RunHosts = z.object({
  first: z.int(),
  total: z.int().describe('Hosts that fit what was asked for.'),
  hosts: z.array(RunHost),
});
export type RunHosts = z.infer<typeof RunHosts>;

/** Results by their place among those that were asked for, the first being 1. */
export const HostRecords = z.object({ first: z.int(), total: z.int(), records: z.array(HostRecord) });
export type HostRecords = z.infer<typeof HostRecords>;
