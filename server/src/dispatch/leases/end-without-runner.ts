import { type EndReason, type EndReasonCode, isFinal } from '@signalbox/contract';
import { storedEndReason } from '../../end-reason.ts';
import type { LogStore } from '../../logs/log-store.ts';
import type { TaskRow } from '../session/run-recorder.ts';

/** Reasons of tasks that the server ended because their runner was unreachable, with the event that ends them. */
const EVENTS: ReadonlyMap<EndReasonCode, 'lost' | 'stopped'> = new Map([
  ['runner.silent', 'lost'],
  ['stop.unreachable', 'stopped'],
]);

export const isWithoutRunner = (code: EndReasonCode): boolean => EVENTS.has(code);

/** Last line of the log of a task that was stopped by force while its runner could not be reached. */
export const FORCED = 'Stopped by force while its runner could not be reached.';

type StoredReason = Pick<TaskRow, 'end_reason' | 'end_params'>;

/** The reason of a task that was stopped by force and ends without its runner. */
export const unreachableStop = ({ end_reason, end_params }: StoredReason): EndReason => {
  const asked = storedEndReason(end_reason, end_params);
  return { code: 'stop.unreachable', params: { user: asked && 'user' in asked.params ? asked.params.user : '' } };
};

/**
 * The event that ended a task without its runner, or undefined. Output that the runner still has is too late for such
 * a task. The reason may be stored before the task ends. It counts once the log is closed, because no server
 * continues such a task.
 */
export const endWithoutRunner = async (logs: LogStore, task: TaskRow): Promise<'lost' | 'stopped' | undefined> => {
  const event = task.end_reason === null ? undefined : EVENTS.get(task.end_reason);
  if (event === undefined || isFinal(task.status)) return event;
  return (await logs.head(task.id)).closed ? event : undefined;
};
