import { z } from 'zod';
import { Id, Moment } from '../fields.ts';
import { Failure } from './failure.ts';
import { Task } from './task.ts';

/** Maximum number of failures, of templates and of runners in an overview. */
export const MAX_OVERVIEW = 20;

/** Number of days that trends cover. */
export const TREND_DAYS = 30;

/** A template whose last runs failed before they reached a host, so that they have no failure on hosts. */
const BrokenTemplate = z.object({
  template_id: Id,
  name: z.string().describe('Name of the template.'),
  task_id: Id.describe('The last of these runs.'),
  end_reason: Task.shape.end_reason.describe('Why it failed; null if that is unknown.'),
  since: Moment.describe('End of the first of these runs, of the last ten.'),
  runs: z.int().describe('Number of these runs, at most ten.'),
});
export type BrokenTemplate = z.infer<typeof BrokenTemplate>;

const AwayRunner = z.object({
  id: Id,
  name: z.string(),
  last_contact: Moment.describe('When it was last connected, to a few minutes.'),
});

/** A template whose runs are slower than before. */
const SlowerTemplate = z.object({
  template_id: Id,
  name: z.string().describe('Name of the template.'),
  task_id: Id.describe('The first slower task.'),
  before_id: Id.describe('The run before it.'),
  since: Moment.describe('When that task was created, in the last 30 days.'),
  before_ms: z.int().describe('Median of the runs before, in milliseconds.'),
  after_ms: z.int().describe('Median of the runs from it on, in milliseconds.'),
  step: z.string().describe('Name of the step that accounts for most of the difference; empty if there is none.'),
});

/** What needs a person in a project. */
export const Overview = z.object({
  failures: z
    .array(Failure)
    .describe('Failures that are neither fixed nor known, those on the most hosts first; at most 20.'),
  failures_total: z.int().describe('Number of such failures.'),
  broken: z
    .array(BrokenTemplate)
    .describe('Templates whose last run failed before it reached a host, the last one first; at most 20.'),
  runners_online: z.int().describe('Number of connected runners that take tasks of the project.'),
  runners_away: z
    .array(AwayRunner)
    .describe('Runners that take tasks of the project and are not connected, without paused ones; at most 20.'),
  slower: z.array(SlowerTemplate).describe('Templates that became slower, the last one first; at most 20.'),
  visit: z
    .object({
      tasks: z.int().describe('Number of tasks, at most 1000.'),
      failed: z.int().describe('Number of failed ones among them.'),
    })
    .nullable()
    .describe('The tasks that were created since the time `since`; null without it.'),
});
export type Overview = z.infer<typeof Overview>;

const Outcomes = {
  success: z.int().describe('Number of successful tasks.'),
  error: z.int().describe('Number of failed tasks.'),
};

/** How the runs of a project went. Dry runs and stopped tasks do not count. */
export const Trends = z.object({
  ...Outcomes,
  before: z.object(Outcomes).describe('The same in the 30 days before.'),
  days: z
    .array(
      z.object({
        day: z.string().describe('The day in UTC, such as `2026-11-21`.'),
        ...Outcomes,
        commits: z.int().describe('Number of different commits that ran.'),
        changed: z.int().describe('Number of results that changed something on a host.'),
      }),
    )
    .describe('Every day, oldest first.'),
  flaky: z
    .array(
      z.object({
        template_id: Id,
        name: z.string().describe('Name of the template.'),
        runs: z.int().describe('Number of its runs.'),
        flips: z
          .int()
          .describe(
            'How often a run ended otherwise than the one before, with the same commit, inventory, environment, answers, arguments, limit and tags.',
          ),
      }),
    )
    .describe('Templates whose outcome changes without a change of what they run, the most frequent ones first.'),
});
export type Trends = z.infer<typeof Trends>;
