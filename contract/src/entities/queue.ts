import { z } from 'zod';
import { MomentText } from '../fields.ts';
import { WaitingCode } from './queued-task.ts';

/** Maximum number of groups of waiting tasks in one answer. */
export const MAX_QUEUE_GROUPS = 100;

/** Number of waiting tasks up to which the reason of each is read. */
export const MAX_EXACT_REASONS = 2000;

const Count = z.int().min(0);

/** Waiting tasks that need the same of a runner. */
export const QueueGroup = z.object({
  app: z.string().describe('The app that a runner must have.'),
  execution_environment: z.string().describe('The kind of execution environments that a runner must provide.'),
  runner_tags: z
    .array(z.string())
    .describe('The tags that a runner must have: the tags of the tasks and of their project.'),
  count: Count.describe('Number of waiting tasks.'),
  oldest: MomentText.describe('When the oldest of them was created.'),
});
export type QueueGroup = z.infer<typeof QueueGroup>;

/** Waiting tasks with the same reason. */
const QueueReason = z.object({
  code: WaitingCode.nullable().describe(
    'Code of the reason, as in `waiting_reason` of a task; null for tasks that a runner is about to get.',
  ),
  count: Count.describe('Number of waiting tasks.'),
});

/** Which tasks wait, for what, and why. */
export const Queue = z.object({
  waiting: Count.describe('Number of waiting tasks.'),
  groups: z
    .array(QueueGroup)
    .describe(
      `Waiting tasks by what they need of a runner, without those that wait for an approval; the largest groups first, ${MAX_QUEUE_GROUPS} at most.`,
    ),
  more_groups: Count.describe('Number of groups that were left out.'),
  reasons: z.array(QueueReason).describe('Waiting tasks by the reason why they wait; the most frequent first.'),
  reasons_exact: z
    .boolean()
    .describe(
      `Whether the reason of each task was read. With more than ${MAX_EXACT_REASONS} waiting tasks, the oldest task of a template counts for all waiting tasks of the template.`,
    ),
});
export type Queue = z.infer<typeof Queue>;
