import { z } from 'zod';
import { Task } from './task.ts';

/** Why a task waits, with the names of the parameters. A change also changes the catalogues of the page. */
export const WAITING_REASONS = {
  /** Someone must approve it first. */
  approval: [],
  /** No runner is connected. */
  no_runner: [],
  /** No connected runner has the app. */
  no_runner_with_app: ['app'],
  /** No connected runner provides execution environments of this kind. */
  no_runner_with_environment: ['kind'],
  /** No connected runner has all tags of the task and of its project, which a comma and a space separate. */
  no_runner_with_tags: ['tags'],
  /** Runners with the tags are connected, but none of them takes tasks of the project. */
  no_runner_for_project: [],
  /** Every runner that could run it is paused. */
  runners_paused: [],
  /** An earlier task of the same schedule has not ended. */
  earlier_task: ['id'],
  /** The template runs once at a time, and a task of it runs. `expected_end` is a moment; empty if unknown. */
  template_busy: ['id', 'expected_end'],
  /**
   * A task that runs holds a lock that it needs. `template` is the name of its template, `since` and `expected_end` are
   * moments; empty if unknown. `id` is 0 and `template` empty for a task that the reader must not see.
   */
  lock_held: ['lock', 'id', 'template', 'since', 'expected_end'],
  /** A task that waits too gets a lock first that it needs. */
  lock_ahead: ['lock', 'id', 'template'],
  /** The runner has not listed yet which hosts the task locks. */
  hosts_unknown: [],
  /** The hosts of a task of the template that is ahead in the queue are not listed yet. */
  hosts_unknown_ahead: ['id', 'template'],
  /**
   * The same as `lock_held` for hosts: `host` is the first one, `others` the number of the others. `hosts` are the first
   * three, which a comma and a space separate.
   */
  host_held: ['host', 'others', 'hosts', 'id', 'template', 'since', 'expected_end'],
  /** A task that waits too gets a host first that it locks. */
  host_ahead: ['host', 'others', 'hosts', 'id', 'template'],
  /** The project runs as many tasks as it may. */
  project_limit: ['limit'],
  /** The system runs as many tasks as it may. */
  system_limit: ['limit'],
  /** Every runner that could run it runs as many tasks as it can. */
  runners_busy: [],
} as const;
export type WaitingReasonCode = keyof typeof WAITING_REASONS;

/** Reasons that only an administrator can remove: the task waits until other runners are connected or permitted. */
export const ADMIN_WAITING_REASONS = [
  'no_runner',
  'no_runner_with_app',
  'no_runner_with_environment',
  'no_runner_with_tags',
  'no_runner_for_project',
  'runners_paused',
] as const satisfies readonly WaitingReasonCode[];

const CODES = Object.keys(WAITING_REASONS) as [WaitingReasonCode, ...WaitingReasonCode[]];

export const WaitingCode = z.enum(CODES);

/** Number of waiting tasks for the same runners whose position is counted. */
export const MAX_QUEUE_POSITION = 1000;

export const WaitingReason = z.object({
  code: WaitingCode.describe('Code of the reason.'),
  params: z.record(z.string(), z.union([z.string(), z.int()])).describe('Values in the text of the reason, by name.'),
});
export type WaitingReason = z.infer<typeof WaitingReason>;

/** Why a task waits, and its position in the queue. Both are computed for each request. */
export const Waiting = z.object({
  waiting_reason: WaitingReason.nullable().describe(
    'Why the task waits. Null for a task that does not wait, and for one that a runner is about to get.',
  ),
  queue_position: z
    .int()
    .nullable()
    .describe(
      `Position among the waiting tasks with the same app and the same runner tags, by priority and the turn of the project, from 1. Null for a task that does not wait, and behind the first ${MAX_QUEUE_POSITION}.`,
    ),
});
export type Waiting = z.infer<typeof Waiting>;

/** A task with its position in the queue. */
export const QueuedTask = Task.extend(Waiting.shape);
export type QueuedTask = z.infer<typeof QueuedTask>;
