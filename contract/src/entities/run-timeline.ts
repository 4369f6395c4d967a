import { z } from 'zod';

/** Maximum number of hosts and of steps in one response. */
export const MAX_TIMELINE_HOSTS = 100;
export const MAX_TIMELINE_STEPS = 500;

const host = z.int().describe('Number of the host in this run, from 1.');

/** One step of a run, and who waited in it. Times are in milliseconds. */
export const TimelineStep = z.object({
  step: z.int().describe('Number of the step.'),
  play: z.int().describe('Number of its play.'),
  name: z.string(),
  line: z.int().describe('Number of its first log line; 0 with `strategy: free`.'),
  at: z.int().describe('When it started, after the start of the run.'),
  end: z.int().describe('When the next one started; for the newest step the time of its newest result.'),
  hosts: z.int().describe('Number of hosts with a result, without unreachable ones.'),
  p50: z.int().describe('Median of their times.'),
  slowest: z
    .object({ number: host, host: z.string(), ms: z.int().describe('Its time in milliseconds.') })
    .nullable()
    .describe('The one of them that took longest, and its time. Null without a result.'),
  waited: z.int().describe('How long the other hosts waited for the slowest one, all together.'),
});
export type TimelineStep = z.infer<typeof TimelineStep>;

/** One host of a run: how long it worked on each step. */
export const TimelineHost = z.object({
  number: host,
  host: z.string(),
  ms: z.int().describe('Sum of its times.'),
  waited_for_ms: z.int().describe('How long the other hosts waited for this one alone, in milliseconds.'),
  cells: z.string().describe('One letter for each step, as in the list of hosts.'),
  times: z
    .array(z.int().nullable())
    .describe(
      'Milliseconds for each step, from its start or from the previous result of the host if that is later; null without a result.',
    ),
});
export type TimelineHost = z.infer<typeof TimelineHost>;

/** Which host worked on which step when. */
export const RunTimeline = z.object({
  started: z.number().nullable().describe('Start of the first play, in milliseconds since 1970; null before.'),
  complete: z.boolean().describe('True when the final counts are stored.'),
  ms: z.int().describe('Milliseconds from the start of the first play to the end, or to the newest result.'),
  first_step: z.int().describe('Number of the first one in `steps` among all steps.'),
  total_steps: z.int().describe('Number of steps so far.'),
  steps: z.array(TimelineStep).describe('The steps in order.'),
  first: z.int().describe('Number of the first one in `hosts` in their order.'),
  total: z.int().describe('Number of hosts.'),
  hosts: z.array(TimelineHost).describe('The hosts for which the others waited longest come first.'),
});
export type RunTimeline = z.infer<typeof RunTimeline>;
