import { type ChangedPart, isFinal } from '@signalbox/contract';
import type { Bus } from '../bus/bus.ts';
import type { Services } from './services.ts';

/** Parts of a project whose changes may hide templates from users. */
const RESTRICTING: ReadonlySet<ChangedPart> = new Set(['templates', 'views', 'grants', 'roles']);

type Subscribers = Pick<Services, 'live' | 'metrics' | 'dispatching' | 'alerting' | 'outbox' | 'schedules'>;

/** What each service does when something happens, here or on another server. */
export const subscribe = (
  bus: Bus,
  { live, metrics, dispatching, alerting: { sender }, outbox, schedules }: Subscribers,
): void => {
  const { dispatcher } = dispatching;
  bus.on('tasks_changed', ({ tasks }, origin) => {
    live.tasksChanged(tasks);
    dispatcher.wake();
    if (origin === 'elsewhere') {
      // A user may have stopped it there, and its runner may be linked to this server. For a task that ended without
      // its runner, the runner gets `abandon`.
      for (const task of tasks)
        if (task.status === 'stopping' || isFinal(task.status)) dispatcher.passStop(task, task.stop_forced === 1);
      return;
    }
    // Only the server where it happened counts it and wakes its senders. The others find the work when they poll.
    metrics.tasksChanged(tasks);
    const isEnded = tasks.some(({ status }) => isFinal(status));
    if (isEnded) sender.wake();
    if (isEnded || tasks.some(({ approval_state: state }) => state === 'pending')) outbox.wake();
  });
  bus.on('task_details_changed', ({ task }) => live.tasksChanged([task]));
  bus.on('lines_stored', ({ projectId, taskId, first, lines }, origin) => {
    if (origin === 'here') metrics.linesStored(lines.length);
    live.linesStored(projectId, taskId, first, lines);
  });
  bus.on('results_stored', ({ projectId, taskId, first, records }) =>
    live.resultsStored(projectId, taskId, first, records),
  );
  bus.on('part_changed', ({ projectId, part }) => {
    live.partChanged(projectId, part);
    // A new or changed template may be hidden from users whose sockets are open.
    if (RESTRICTING.has(part)) void live.rightsChanged();
  });
  bus.on('installation_changed', ({ part }) => live.installationChanged(part));
  bus.on('rights_changed', () => void live.rightsChanged());
  bus.on('due_times_changed', () => schedules.wake());
  bus.on('capacity_changed', () => dispatcher.wake());
  bus.on('relayed_query_changed', ({ id }, origin) => {
    if (origin === 'elsewhere') dispatching.relayedChanged(id);
  });
  bus.on('alerts_stored', () => sender.wake());
  bus.on('work_queued', () => outbox.wake());
  bus.on('events_missed', () => {
    for (const loop of [dispatcher, sender, outbox, schedules]) loop.wake();
    void live.rightsChanged().then(() => live.eventsMissed());
  });
};
