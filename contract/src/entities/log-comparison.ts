import { z } from 'zod';
import { Id } from '../fields.ts';
import { MAX_COMPARED_LINES } from '../limits.ts';

export const LogDifference = z.object({
  of: z.enum(['earlier', 'later', 'both']).describe('Which runs have such a line. Lines of both are context.'),
  text: z.string().describe('The first such line, without colours, at most 1,000 characters.'),
  line: z.int().describe('Its number in the log of its run; of the later run for a line of both.'),
  count: z.int().describe('Number of lines of this run that differ from it only in times, hosts and numbers.'),
  skipped: z.int().describe('Number of kinds of lines of both runs that are left out before it.'),
});
export type LogDifference = z.infer<typeof LogDifference>;

/** The lines of one step that differ, or of what is before or after the steps. */
export const LogPart = z.object({
  part: z
    .enum(['start', 'step', 'end'])
    .describe('`start` is what is before the first step, `end` what is after the last one.'),
  play: z.string().describe('Name of its play; empty before the first step and after the last one.'),
  name: z.string().describe('Name of the step; empty before the first step and after the last one.'),
  earlier_line: z
    .int()
    .nullable()
    .describe('First line of the part in the earlier run; null if the run has no line of it.'),
  later_line: z.int().nullable().describe('The same in the later run.'),
  lines: z.array(LogDifference).describe('The lines that differ, with one of both runs before and after each.'),
  more: z.int().describe('Number of further kinds of lines that differ.'),
  complete: z
    .boolean()
    .describe(`False if a run has more than ${MAX_COMPARED_LINES} lines in this part: only these are compared.`),
});
export type LogPart = z.infer<typeof LogPart>;

/** Two logs, compared by step. Times, names of hosts and numbers do not count. */
export const LogComparison = z.object({
  other_id: Id.describe('Id of the other task.'),
  removed: z.array(Id).describe('Ids of the tasks whose log was removed: then there are no parts.'),
  parts: z.array(LogPart).describe('The parts that differ, in order.'),
  lines: z.int().describe('Number of lines that were compared in this call, of both runs together.'),
  total: z.int().describe('Number of parts of both logs together: the steps, and what is before and after them.'),
  next: z.int().nullable().describe('Number of the part at which the next call continues; null at the end.'),
});
export type LogComparison = z.infer<typeof LogComparison>;
