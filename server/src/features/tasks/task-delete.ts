import { FINAL_STATUSES } from '@signalbox/contract';
import { type Actor, recordEvent } from '../../audit/record-event.ts';
import type { StateTransaction } from '../../database/database.ts';
import { ApiError } from '../../http/errors/api-error.ts';
import { queueLogsOf } from '../../logs/log-removal.ts';
import { removeTasks } from './task-removal.ts';

interface Deletion {
  readonly projectId: number;
  readonly taskId: number;
  readonly actor: Actor;
  readonly now: Date;
}

const notEnded = (id: number) => new ApiError('conflict.task_not_ended', { id });

/**
 * Deletes a task with its log. The caller has checked that it exists.
 * @throws conflict while it is waiting or running
 */
export const deleteTask = async (tx: StateTransaction, { projectId, taskId, actor, now }: Deletion): Promise<void> => {
  const [deleted] = await removeTasks(tx, [taskId], { skipKept: false });
  if (!deleted) throw notEnded(taskId);
  await recordEvent(tx, {
    actor,
    projectId,
    objectType: 'task',
    objectId: taskId,
    objectName: deleted.tpl_alias,
    kind: 'task.deleted',
    params: { id: taskId, template: deleted.tpl_alias },
    at: now,
  });
};

/**
 * Deletes all tasks of a template with their logs. The caller has locked the template, so that no task starts
 * meanwhile.
 * @throws conflict while one of them is waiting or running
 */
export const deleteTasksOf = async (tx: StateTransaction, templateId: number): Promise<void> => {
  const active = await tx
    .selectFrom('task')
    .select('id')
    .where('template_id', '=', templateId)
    .where('status', 'not in', FINAL_STATUSES)
    .limit(1)
    .executeTakeFirst();
  if (active) throw notEnded(active.id);
  await queueLogsOf(tx, { templateId });
  await tx.deleteFrom('task').where('template_id', '=', templateId).execute();
};
