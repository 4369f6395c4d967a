import { z } from 'zod';

/** Every status a task can have, in the order of its life. */
export const TASK_STATUSES = ['waiting', 'starting', 'running', 'stopping', 'success', 'error', 'stopped'] as const;
export const TaskStatus = z.enum(TASK_STATUSES);
export type TaskStatus = z.infer<typeof TaskStatus>;

/** Final statuses: the task does not change any more. */
export const FINAL_STATUSES = ['success', 'error', 'stopped'] as const satisfies readonly TaskStatus[];
export type FinalStatus = (typeof FINAL_STATUSES)[number];

/** Active statuses: the task counts towards the limits on parallel tasks. */
export const ACTIVE_STATUSES = ['starting', 'running', 'stopping'] as const satisfies readonly TaskStatus[];

/** Statuses of a task that has not ended. */
export const NOT_FINAL_STATUSES = ['waiting', ...ACTIVE_STATUSES] as const;

export const isFinal = (status: TaskStatus): status is FinalStatus =>
  (FINAL_STATUSES as readonly TaskStatus[]).includes(status);

/** Events in the life of a task. The lifecycle of the server decides which status follows. */
export const LIFECYCLE_EVENTS = [
  'accepted',
  'started',
  'stop',
  'force_stop',
  'succeeded',
  'failed',
  'stopped',
  'lost',
] as const;
export type LifecycleEvent = (typeof LIFECYCLE_EVENTS)[number];
