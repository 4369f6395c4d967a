import type { LifecycleEvent, TaskStatus } from '@signalbox/contract';

/**
 * The only code that decides which status follows. `null` means that the event does not fit this status and changes
 * nothing. No event leaves a final status.
 */
const NEXT: Readonly<Record<TaskStatus, Readonly<Partial<Record<LifecycleEvent, TaskStatus>>>>> = {
  waiting: { accepted: 'starting', stop: 'stopped', force_stop: 'stopped' },
  starting: {
    started: 'running',
    stop: 'stopping',
    force_stop: 'stopping',
    failed: 'error',
    stopped: 'stopped',
    lost: 'error',
  },
  running: {
    stop: 'stopping',
    force_stop: 'stopping',
    succeeded: 'success',
    failed: 'error',
    stopped: 'stopped',
    lost: 'error',
  },
  // A run that ended by itself before the signal keeps its own result.
  stopping: { force_stop: 'stopping', succeeded: 'success', failed: 'error', stopped: 'stopped', lost: 'error' },
  success: {},
  error: {},
  stopped: {},
};

/** Returns the status after an event, or null when the event is refused. */
export const nextStatus = (status: TaskStatus, event: LifecycleEvent): TaskStatus | null => NEXT[status][event] ?? null;

/** Returns the statuses that an event changes, each with its new status. A compare-and-set compares with these. */
export const transitionsOf = (event: LifecycleEvent): readonly (readonly [TaskStatus, TaskStatus])[] =>
  (Object.keys(NEXT) as TaskStatus[]).flatMap((from) => {
    const to = NEXT[from][event];
    return to ? [[from, to] as const] : [];
  });
