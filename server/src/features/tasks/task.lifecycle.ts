import type { LifecycleEvent, TaskStatus } from '@signalbox/contract';

/**
 * The only place that decides which status follows. `null` means: the event does not fit this status, nothing changes.
 * Nothing leaves a final status.
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
  // A run that ended by itself before the signal came keeps its own result.
  stopping: { force_stop: 'stopping', succeeded: 'success', failed: 'error', stopped: 'stopped', lost: 'error' },
  success: {},
  error: {},
  stopped: {},
};

/** The status after an event, or null where the event is refused. */
export const nextStatus = (status: TaskStatus, event: LifecycleEvent): TaskStatus | null => NEXT[status][event] ?? null;

/** Every status from which an event leads somewhere, with where it leads: what a compare-and-set must compare. */
export const transitionsOf = (event: LifecycleEvent): readonly (readonly [TaskStatus, TaskStatus])[] =>
  (Object.keys(NEXT) as TaskStatus[]).flatMap((from) => {
    const to = NEXT[from][event];
    return to ? [[from, to] as const] : [];
  });
