import { z } from 'zod';
import { Id, Moment } from '../fields.ts';
import { VersionDifference } from './run-versions.ts';
import { ComparedField } from './task-comparison.ts';

/** Number of the newest runs that are compared, and of the slowest steps and hosts. */
export const MAX_COMPARED_RUNS = 50;

const ms = z.int().nullable().describe('Milliseconds; null in a run that did not have it.');

/** A step that takes much of the time of a template. */
export const SlowStep = z.object({
  play: z.string().describe('Name of its play.'),
  name: z.string(),
  path: z.string().describe('Its file and line in the repository; empty if unknown.'),
  task_id: Id.describe('Id of the newest task that ran it.'),
  step: z.int().describe('Number of the step in that task.'),
  usual_ms: z.int().describe('Median of the newest ten runs, in milliseconds.'),
  share: z.number().describe('Part of the usual time of a whole run, from 0 to 1.'),
  trend: z.array(ms).describe('Time in each of `runs`.'),
});
export type SlowStep = z.infer<typeof SlowStep>;

/** A host that is often among the slowest ones. */
export const SlowHost = z.object({
  host: z.string(),
  usual_ms: z.int().describe('Median of the sums of its steps in the newest ten runs, in milliseconds.'),
  waited_for_ms: z.int().describe('How long the other hosts of a run usually waited for it alone, in milliseconds.'),
  task_id: Id.describe('Id of the newest task in which it was among the slowest.'),
  runs: z.int().describe('Number of the runs in which it was among the slowest.'),
});
export type SlowHost = z.infer<typeof SlowHost>;

/** From which run on a template is slower, and why. */
export const SlowerSince = z.object({
  task_id: Id.describe('Id of the first slower task.'),
  created: Moment,
  before_id: Id.describe('Id of the run before it.'),
  before_ms: z.int().describe('Median of the runs before, in milliseconds.'),
  after_ms: z.int().describe('Median of the runs from it on, in milliseconds.'),
  steps: z
    .array(
      z.object({
        play: z.string().describe('Name of its play.'),
        name: z.string(),
        step: z.int().describe('Number of the step in the newest task that ran it.'),
        task_id: Id.describe('Id of that task.'),
        before_ms: z.int().describe('Median of the runs before, in milliseconds; 0 for a new step.'),
        after_ms: z.int().describe('Median of the runs from it on, in milliseconds.'),
      }),
    )
    .describe('The steps that account for most of the difference, at most five.'),
  changed: z.array(ComparedField).describe('Fields in which the first slower task differs from the one before.'),
  answers: z.array(z.string()).describe('Names of the answers and variables in which it differs.'),
  versions: z.array(VersionDifference).describe('Versions in which it differs.'),
  hosts_before: z.int().describe('Number of hosts of the run before.'),
  hosts_after: z.int().describe('Number of hosts of the first slower run.'),
});
export type SlowerSince = z.infer<typeof SlowerSince>;

/** Where the time of the runs of a template goes. */
export const TemplateTimes = z.object({
  runs: z
    .array(z.object({ task_id: Id, ms: z.int().describe('From its start to its end, in milliseconds.') }))
    .describe(
      `The newest ${MAX_COMPARED_RUNS} successful runs with the limit, tags, inventory and mode of the newest one, the oldest first.`,
    ),
  steps: z.array(SlowStep).describe('The slowest steps, the slowest first.'),
  hosts: z.array(SlowHost).describe('The slowest hosts, the slowest first.'),
  slower: SlowerSince.nullable().describe('Null if the template is not slower than before, or if it is unknown.'),
});
export type TemplateTimes = z.infer<typeof TemplateTimes>;
