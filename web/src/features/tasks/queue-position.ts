import type { QueuedTask, WaitingReason } from '@signalbox/contract';

/** Reasons for which the position does not matter: the tasks ahead may need other locks and hosts. */
const OF_LOCKS: ReadonlySet<WaitingReason['code']> = new Set([
  'lock_held',
  'lock_ahead',
  'hosts_unknown',
  'hosts_unknown_ahead',
  'host_held',
  'host_ahead',
]);

/** The position of a task in the queue of its runners; null if it is unknown or does not decide when the task starts. */
export const queuePosition = (task: Pick<QueuedTask, 'queue_position' | 'waiting_reason'>): number | null =>
  task.waiting_reason && OF_LOCKS.has(task.waiting_reason.code) ? null : task.queue_position;
