import { type EndReason, isFinal } from '@signalbox/contract';
import { type Actor, recordEvent } from '../../audit/record-event.ts';
import type { StateTransaction } from '../../database/database.ts';
import { ApiError, notFound } from '../../http/errors/api-error.ts';
import { applyEvent, type TaskRow } from './task-transition.ts';

export interface Stop {
  readonly projectId: number;
  readonly taskId: number;
  readonly force: boolean;
  readonly actor: Actor;
  readonly now: Date;
}

/** The name of the user who acts; empty if unknown. */
export const nameOfActor = async (tx: StateTransaction, { userId }: Actor): Promise<string> => {
  const user = tx.selectFrom('users').select('name').where('id', '=', userId);
  return (await user.executeTakeFirst())?.name ?? '';
};

/**
 * Requests the stop of a task. A waiting task is stopped at once.
 * @throws conflict when it has ended already
 */
export const stopTask = async (
  tx: StateTransaction,
  { projectId, taskId, force, actor, now }: Stop,
): Promise<TaskRow> => {
  const found = await tx
    .selectFrom('task')
    .selectAll()
    .where('id', '=', taskId)
    .where('project_id', '=', projectId)
    .executeTakeFirst();
  if (!found) throw notFound();
  const reason: EndReason = {
    code: force ? 'stop.forced' : 'stop.user',
    params: { user: await nameOfActor(tx, actor) },
  };
  const task = await applyEvent(tx, taskId, force ? 'force_stop' : 'stop', now, undefined, reason);
  if (!task) {
    // Repeating a stop that is not forced changes nothing.
    if (!isFinal(found.status)) return found;
    throw new ApiError('conflict.task_ended', { id: taskId });
  }
  await recordEvent(tx, {
    actor,
    projectId,
    objectType: 'task',
    objectId: taskId,
    objectName: task.tpl_alias,
    kind: force ? 'task.force_stop_requested' : 'task.stop_requested',
    params: { id: taskId, template: task.tpl_alias },
    at: now,
  });
  return task;
};
